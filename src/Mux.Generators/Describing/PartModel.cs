using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Joining;

namespace Mux.Generators.Describing;

/// <summary>One part of a description.</summary>
/// <param name="Kind">Kind of the type.</param>
/// <param name="Package">Package of the type.</param>
/// <param name="Descriptor">The descriptor's bytes.</param>
internal sealed record PartModel(PartKind Kind, string Package, EquatableArray<byte> Descriptor)
{
    /// <summary>Gets the method of ContractDescription that takes it.</summary>
    public string Add => $"Add{Kind}";

    public static PartModel Message(string package, bool isProto2, WireWriter descriptor) =>
        new(isProto2 ? PartKind.Proto2Message : PartKind.Message, package, BytesOf(descriptor));

    public static PartModel Enum(EnumModel model) => new(PartKind.Enum, model.Name.Package, BytesOf(EnumDescriber.Describe(model)));

    public static PartModel Service(string package, WireWriter descriptor) => new(PartKind.Service, package, BytesOf(descriptor));

    private static EquatableArray<byte> BytesOf(WireWriter descriptor) => new([.. descriptor.ToArray()]);
}
