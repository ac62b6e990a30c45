namespace Mux.Tool.Commands;

/// <summary>An address on the command line of <c>mux chaos</c>.</summary>
/// <param name="Address">The address.</param>
/// <param name="HasScheme">True if the scheme was written; otherwise it is that of the other address.</param>
internal sealed record ChaosAddress(MuxAddress Address, bool HasScheme);
