namespace Mux.Discovery.Kubernetes.Slices;

/// <summary>What is read of an EndpointSlice (discovery.k8s.io/v1). Each member may be absent; the API defines what that means.</summary>
internal sealed record EndpointSlice(EndpointSlice.ObjectMeta? Metadata, string? AddressType, EndpointSlice.Endpoint[]? Endpoints, EndpointSlice.Port[]? Ports)
{
    /// <summary>The metadata of an object or of a list.</summary>
    /// <param name="Name">Unique in its namespace; absent for lists and bookmarks.</param>
    /// <param name="ResourceVersion">Opaque: it is only sent back.</param>
    /// <param name="Continue">Present if a list has further pages.</param>
    internal sealed record ObjectMeta(string? Name, string? ResourceVersion, string? Continue);

    /// <summary>One pod. Kubernetes defines no meaning for addresses after the first.</summary>
    internal sealed record Endpoint(string[]? Addresses, EndpointConditions? Conditions, string? Zone, EndpointHints? Hints, ObjectReference? TargetRef);

    /// <summary>The state of a pod. Absent: ready, serving as ready says, and not terminating.</summary>
    internal sealed record EndpointConditions(bool? Ready, bool? Serving, bool? Terminating);

    /// <summary>For which clients an endpoint is meant, if topology aware routing is on.</summary>
    internal sealed record EndpointHints(ForZone[]? ForZones);

    /// <summary>A zone of clients.</summary>
    internal sealed record ForZone(string? Name);

    /// <summary>The pod of an endpoint.</summary>
    internal sealed record ObjectReference(string? Name, string? Uid);

    /// <summary>A port of all endpoints of a slice. Absent: no name, any number, TCP.</summary>
    /// <param name="Name">The name.</param>
    /// <param name="Number">Where the pods listen.</param>
    /// <param name="Protocol">TCP, UDP or SCTP.</param>
    internal sealed record Port(string? Name, [property: System.Text.Json.Serialization.JsonPropertyName("port")] int? Number, string? Protocol);
}
