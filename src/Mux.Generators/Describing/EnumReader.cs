using System.Globalization;
using Microsoft.CodeAnalysis;

namespace Mux.Generators.Describing;

/// <summary>Reads the constants of enums. Remembers symbols of one compilation.</summary>
internal sealed class EnumReader
{
    private readonly Dictionary<ITypeSymbol, EnumModel?> _known = new(SymbolEqualityComparer.Default);

    /// <summary>Reads an enum. Null for one of more than 32 bits with sign, which protobuf does not have: its values are numbers there.</summary>
    public EnumModel? Read(INamedTypeSymbol type)
    {
        if (!_known.TryGetValue(type, out var model)) _known.Add(type, model = ReadConstants(type));
        return model;
    }

    private static EnumModel? ReadConstants(INamedTypeSymbol type)
    {
        if (type.EnumUnderlyingType!.SpecialType is SpecialType.System_UInt32 or SpecialType.System_Int64 or SpecialType.System_UInt64) return null;
        var values = new List<EnumValueModel>();
        foreach (var member in type.GetMembers())
        {
            if (member is IFieldSymbol { HasConstantValue: true } field)
                values.Add(new EnumValueModel(field.Name, Convert.ToInt32(field.ConstantValue, CultureInfo.InvariantCulture)));
        }

        return new EnumModel(ProtoNames.Of(type), new EquatableArray<EnumValueModel>([.. values]));
    }
}
