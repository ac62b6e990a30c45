namespace Mux.Generators.Describing;

/// <summary>One part of a description.</summary>
/// <param name="Add">Method of ContractDescription that takes it.</param>
/// <param name="Package">Package of the type.</param>
/// <param name="Literal">C# expression of the descriptor's bytes.</param>
internal sealed record PartModel(string Add, string Package, string Literal)
{
    public static PartModel Message(string package, bool isProto2, DescriptorBuffer descriptor) =>
        new(isProto2 ? "AddProto2Message" : "AddMessage", package, descriptor.ToLiteral());

    public static PartModel Enum(EnumModel model) => new("AddEnum", model.Name.Package, EnumDescriber.Describe(model).ToLiteral());

    public static PartModel Service(string package, DescriptorBuffer descriptor) => new("AddService", package, descriptor.ToLiteral());
}
