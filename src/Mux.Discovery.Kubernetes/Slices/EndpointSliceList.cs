namespace Mux.Discovery.Kubernetes.Slices;

/// <summary>One page of the slices of a service.</summary>
internal sealed record EndpointSliceList(EndpointSlice.ObjectMeta? Metadata, EndpointSlice[]? Items);
