namespace Mux.Discovery.Kubernetes;

/// <summary>The IP addresses at which a channel connects to the pods of a service.</summary>
public enum KubernetesAddressFamily
{
    /// <summary>
    /// IPv4 if the service has EndpointSlices of that type, otherwise IPv6. A service with both lists each pod in both, so only one of them is used.
    /// </summary>
    Any,

    /// <summary>IPv4 addresses only.</summary>
    IPv4,

    /// <summary>IPv6 addresses only.</summary>
    IPv6,
}
