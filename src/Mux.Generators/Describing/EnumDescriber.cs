using Mux.Description.Proto.Descriptors;

namespace Mux.Generators.Describing;

/// <summary>Describes enums as EnumDescriptorProto.</summary>
internal static class EnumDescriber
{
    /// <summary>
    /// Describes an enum. Its values begin with its name, because protobuf places them next to it. The first value is zero, because proto3 requires one.
    /// </summary>
    public static WireWriter Describe(EnumModel model)
    {
        var descriptor = new WireWriter().Text(1, model.Name.Name);
        var numbers = new HashSet<int>();
        bool hasAliases = false;
        foreach (var value in InOrder(model))
        {
            hasAliases |= !numbers.Add(value.Number);
            descriptor.Message(2, new WireWriter().Text(1, NameOf(model, value)).Number(2, value.Number));
        }

        return descriptor.Options(3, new WireWriter().Flag(2, hasAliases));
    }

    /// <summary>Gets the protobuf name of a value; null if the enum has no constant with this number.</summary>
    public static string? NameOf(EnumModel model, int number)
    {
        var found = model.Values.FirstOrDefault(value => value.Number == number);
        return found is null ? null : NameOf(model, found);
    }

    private static string NameOf(EnumModel model, EnumValueModel value) => ProtoNames.ToWord($"{model.Name.Name}_{value.Name}");

    private static IEnumerable<EnumValueModel> InOrder(EnumModel model)
    {
        var zero = model.Values.FirstOrDefault(static value => value.Number == 0);
        return new[] { zero ?? new EnumValueModel("0", 0) }.Concat(model.Values.Where(value => !ReferenceEquals(value, zero)));
    }
}
