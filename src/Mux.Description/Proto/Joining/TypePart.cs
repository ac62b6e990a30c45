namespace Mux.Description.Proto.Joining;

/// <summary>A type before it is in a file.</summary>
/// <param name="Kind">Kind of the descriptor.</param>
/// <param name="Package">Package of the type; empty for none.</param>
/// <param name="Descriptor">The descriptor's bytes.</param>
internal sealed record TypePart(PartKind Kind, string Package, ReadOnlyMemory<byte> Descriptor);
