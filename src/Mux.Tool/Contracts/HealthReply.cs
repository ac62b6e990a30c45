using System.Runtime.Serialization;

namespace Mux.Tool.Contracts;

/// <summary>The status of a service.</summary>
[DataContract]
internal sealed class HealthReply
{
    public const int Serving = 1, NotServing = 2;

    [DataMember(Order = 1)]
    public int Status { get; set; }
}
