using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>A large reply of the mixed workload.</summary>
[DataContract]
internal sealed class BulkReply
{
    /// <summary>
    /// The call's. Beside the content and not in it, which is the same for all replies: a server that makes no garbage does not stop for it in the middle of a
    /// run.
    /// </summary>
    [DataMember(Order = 1)]
    public long Number { get; set; }

    [DataMember(Order = 2)]
    public byte[]? Content { get; set; }
}
