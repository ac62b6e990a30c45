using System.Runtime.Serialization;

namespace Mux.Interop.Tests;

[DataContract]
public sealed class LabNote
{
    [DataMember(Order = 1)]
    public string? Text { get; set; }

    [DataMember(Order = 2)]
    public byte[]? Bytes { get; set; }

    [DataMember(Order = 3)]
    public long Number { get; set; }
}
