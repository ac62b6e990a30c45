using System.Runtime.Serialization;

namespace Mux.Tests.Health;

[DataContract]
public sealed class HealthCheckRequest
{
    [DataMember(Order = 1)]
    public string Service { get; set; } = string.Empty;
}
