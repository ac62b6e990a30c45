using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>One type of a description.</summary>
/// <param name="Kind">Kind of the descriptor.</param>
/// <param name="Package">Protobuf package of the type; empty for none.</param>
/// <param name="Descriptor">The descriptor's bytes.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed record DescriptionPart(DescriptionKind Kind, string Package, ReadOnlyMemory<byte> Descriptor);
