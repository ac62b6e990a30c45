using System.Runtime.Serialization;

namespace Mux.Tests.Health;

[DataContract]
public sealed class HealthCheckResponse
{
    public const int Serving = 1, NotServing = 2, ServiceUnknown = 3;

    [DataMember(Order = 1)]
    public int Status { get; set; }
}
