using System.Runtime.Serialization;

namespace Evidence.Serving;

/// <summary>Bytes of a process.</summary>
[DataContract]
internal sealed class ServerMemory
{
    /// <summary>The resident set: managed and native memory, nothing of the kernel's.</summary>
    [DataMember(Order = 1)]
    public long Resident { get; set; }

    /// <summary>The managed part of it that is in use.</summary>
    [DataMember(Order = 2)]
    public long Managed { get; set; }
}
