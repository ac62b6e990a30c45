namespace Mux.Description.Proto;

/// <summary>Numbers of fields or of values of an enum.</summary>
/// <param name="First">The least one.</param>
/// <param name="Last">The greatest one, included: other than in descriptors of messages.</param>
internal readonly record struct ProtoRange(int First, int Last);
