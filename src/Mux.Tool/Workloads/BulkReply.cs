using System.Runtime.Serialization;

namespace Mux.Tool.Workloads;

/// <summary>A large reply of the mixed workload.</summary>
[DataContract]
internal sealed class BulkReply
{
    /// <summary>
    /// Number of the call. Separate from the content, which is the same for all replies: a server without garbage does not stop in the middle of a run to
    /// collect it.
    /// </summary>
    [DataMember(Order = 1)]
    public long Number { get; set; }

    [DataMember(Order = 2)]
    public byte[]? Content { get; set; }
}
