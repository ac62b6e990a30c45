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

    public static PartModel Message(string package, bool isProto2, DescriptorBuffer descriptor) =>
        new(isProto2 ? PartKind.Proto2Message : PartKind.Message, package, descriptor.ToArray());

    public static PartModel Enum(EnumModel model) => new(PartKind.Enum, model.Name.Package, EnumDescriber.Describe(model).ToArray());

    public static PartModel Service(string package, DescriptorBuffer descriptor) => new(PartKind.Service, package, descriptor.ToArray());
}
