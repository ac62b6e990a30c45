namespace Mux.Discovery.Etcd.Protocol;

/// <summary>A response of which only success matters.</summary>
internal sealed record Acknowledgement;
