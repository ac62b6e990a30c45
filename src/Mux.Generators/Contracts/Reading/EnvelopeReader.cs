using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Wraps values in messages that no user has declared: entries of maps, and wrappers that distinguish null from nothing.</summary>
/// <param name="findings">Receives values that cannot be sent.</param>
/// <param name="values">Reads the content of the messages.</param>
internal sealed class EnvelopeReader(Findings findings, ValueReader values)
{
    /// <summary>
    /// True if protobuf has maps of this kind: from integers, strings, enums and (as text) Guids to single values. In other maps no two entries may have the
    /// same key.
    /// </summary>
    public static bool IsMap(CollectionType map, ValueOptions options)
    {
        if (options.Map.IsDisabled || map.Item is IArrayTypeSymbol { ElementType.SpecialType: not SpecialType.System_Byte }
            || CollectionTypes.Of(map.Item) is not null)
        {
            return false;
        }

        if (map.Key is INamedTypeSymbol key && key.ToFullName() == "System.Guid")
        {
            return options.Level >= CompatibilityLevel.Level300 && options.Map.KeyFormat != DataFormat.FixedSize;
        }

        return map.Key!.TypeKind == TypeKind.Enum || map.Key.SpecialType
            is SpecialType.System_String or SpecialType.System_SByte or SpecialType.System_Byte or SpecialType.System_Int16 or SpecialType.System_UInt16
            or SpecialType.System_Int32 or SpecialType.System_UInt32 or SpecialType.System_Int64 or SpecialType.System_UInt64;
    }

    /// <summary>Reads an entry of a map. Null if it cannot be sent; the reason is then in the findings.</summary>
    public EnvelopeModel? ReadEntry(ISymbol owner, ITypeSymbol type, CollectionType map, ValueOptions options)
    {
        bool hasFormats = IsMap(map, options);
        var key = values.Read(owner, map.Key!, options.Inside(hasFormats ? options.Map.KeyFormat : DataFormat.Default));
        var value = values.Read(owner, map.Item, options.Inside(hasFormats ? options.Map.ValueFormat : DataFormat.Default));
        if (key is null || value is null) return null;
        if (key.Container != Container.Single)
        {
            findings.Report(MuxDiagnostics.UnsupportedType, owner, owner.ToDisplay(), type.ToDisplay(),
                "the key of a map is a single value that cannot be null");
            return null;
        }

        var display = DisplayOf(owner, type);
        int size = TypeSize.OfSlot(map.Key!) + TypeSize.OfSlot(map.Item) + (value.Container == Container.List ? ObjectSizes.List : 0);
        var valueMember = ReadEntryValue(owner, display, value, options);
        if (valueMember is null) return null;
        var keyMember = key.ToMember(1, "Key", ReadAccess.Direct, WriteAccess.Direct) with { Default = key.Value.ZeroInEntry };
        var entry = $"global::System.Collections.Generic.KeyValuePair<{map.Key!.ToBareCode()}, {map.Item.ToBareCode()}>";
        return new EnvelopeModel(
            entry, EnvelopeForm.Entry, Message(display, keyMember, valueMember), options.Format == DataFormat.Group, IsNullable: false, size);
    }

    /// <summary>Wraps the value in the messages that the member declares. Null if that is not possible; the reason is then in the findings.</summary>
    public MemberValue? Wrap(ISymbol owner, ITypeSymbol type, MemberValue value, ValueOptions options)
    {
        var nulls = options.Nulls;
        if (nulls.WrapsValues && value is not { Value: EnvelopeModel { Form: EnvelopeForm.Entry } })
        {
            if (!value.IsRepeated) value = WrapValue(owner, DisplayOf(owner, type), value, nulls.ValuesAreGroups);
            else value = value with { Value = ItemOf(DisplayOf(owner, type), value, nulls.ValuesAreGroups), IsItemNullable = false, IsPacked = false };
        }

        if (!nulls.WrapsCollection) return value;
        if (!value.IsRepeated)
        {
            findings.Report(MuxDiagnostics.NullWrapping, owner, owner.ToDisplay(), "NullWrappedCollection", "it is not a collection");
            return null;
        }

        var display = DisplayOf(owner, type);
        var items = value.ToMember(1, "Items", ReadAccess.Direct, WriteAccess.Direct);
        bool isNullable = value.Collection?.Source != ItemSource.Span;
        return new MemberValue(value.TypeName, new EnvelopeModel(
            value.TypeName, EnvelopeForm.Items, Message(display, items), nulls.CollectionIsGroup, isNullable), Container.Single);
    }

    // A member has its own name; an argument or result is named by its type, so that equal ones share a codec.
    private static string DisplayOf(ISymbol owner, ITypeSymbol type) => owner is IPropertySymbol or IFieldSymbol ? owner.ToDisplay() : type.ToDisplay();

    private static MessageModel Message(string display, params MemberModel[] members)
    {
        return new MessageModel(
            string.Empty, display, string.Empty, IsStruct: true, ChecksType: false, Construction.Default, EquatableArray<int>.Empty,
                ConstructorNeedsAccessor: false,
            new EquatableArray<MemberModel>([.. members]))
        {
            FollowsProtobuf = members[0].Value.FollowsProtobuf,
        };
    }

    private static EnvelopeModel ItemOf(string display, MemberValue list, bool isGroup)
    {
        var typeName = list.IsItemNullable ? list.Value.TypeName + "?" : list.Value.TypeName;
        var item = new MemberValue(typeName, list.Value, list.IsItemNullable ? Container.Nullable : Container.Single);
        var member = item.ToMember(1, "Value", ReadAccess.Direct, WriteAccess.Direct) with { Default = null };
        return new EnvelopeModel(typeName, EnvelopeForm.Item, Message(display, member), isGroup, IsNullable: false);
    }

    // Null and zero are omitted: everything that is written differs from both.
    private MemberModel? ReadEntryValue(ISymbol owner, string display, MemberValue value, ValueOptions options)
    {
        var zero = value.IsRepeated ? null : value.Value.ZeroInEntry;
        if (!options.Nulls.WrapsValues)
        {
            bool isPacked = value.IsRepeated && value.Value is ScalarModel { CanBePacked: true };
            return value.ToMember(2, "Value", ReadAccess.Direct, WriteAccess.Direct) with { Default = zero, IsPacked = isPacked };
        }

        if (value.IsRepeated)
        {
            findings.Report(MuxDiagnostics.NullWrapping, owner, owner.ToDisplay(), "NullWrappedValue", "the values of the map are collections themselves");
            return null;
        }

        var inner = value.ToMember(1, "Value", ReadAccess.Direct, WriteAccess.Direct) with { Default = null };
        bool isNullable = value.Container == Container.Nullable || value.Value.CanBeNull;
        var wrapped = new EnvelopeModel(value.TypeName, EnvelopeForm.Value, Message(display, inner), options.Nulls.ValuesAreGroups, isNullable);
        return new MemberValue(value.TypeName, wrapped, Container.Single).ToMember(2, "Value", ReadAccess.Direct, WriteAccess.Direct) with { Default = zero };
    }

    // As in wrappers.proto: zero is an empty message.
    private MemberValue WrapValue(ISymbol owner, string display, MemberValue value, bool isGroup)
    {
        var problem = value switch
        {
            { Value: NestedModel } => "it is a message, which may be null without the attribute",
            { Value: FrameworkModel { Form: not (FrameworkForm.GuidText or FrameworkForm.DecimalText or FrameworkForm.DateOnly or FrameworkForm.TimeOnly) } } =>
                "it is written as a message already",
            { Container: not Container.Nullable, Value.CanBeNull: false } => "it cannot be null",
            _ => null,
        };
        if (problem is not null) findings.Report(MuxDiagnostics.NullWrapping, owner, owner.ToDisplay(), "NullWrappedValue", problem);
        var member = value.ToMember(1, "Value", ReadAccess.Direct, WriteAccess.Direct) with { Default = value.Value.ZeroInEntry };
        return new MemberValue(value.TypeName, new EnvelopeModel(value.TypeName, EnvelopeForm.Value, Message(display, member), isGroup, IsNullable: true),
            Container.Single);
    }
}
