namespace Mux.Server;

/// <summary>The states of grpc.health.v1, with their numbers on the wire.</summary>
internal enum HealthStatus
{
    Unknown = 0,
    Serving = 1,
    NotServing = 2,
    ServiceUnknown = 3,
}
