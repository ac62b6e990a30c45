using Mux.Generators.Messages.Models;
using Mux.Generators.Text;
using Mux.Protobuf;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the statements that write the items of one member, in any collection.</summary>
/// <param name="writer">Receives the code.</param>
/// <param name="message">The message.</param>
internal sealed class ItemWriteEmitter(SourceWriter writer, MessageModel message)
{
    private readonly ValueWriteEmitter _values = new(writer);

    /// <summary>Gets the statement that writes all items in one call; null if it takes several.</summary>
    /// <inheritdoc cref="Emit"/>
    public string? Whole(MemberModel member, string list)
    {
        if (member.IsPacked || member.IsItemNullable || !IsContiguous(member)) return null;
        return member.Value switch
        {
            ScalarModel scalar when IsWrittenWhole(scalar) =>
                $"writer.Write{ValueWriteEmitter.FormOf(scalar)}s({member.Tag}, {SpanOf(member, list)});",
            TextModel => $"writer.WriteTexts({member.Tag}, {SpanOf(member, list)}, \"{message.DisplayName}\", \"{member.Name}\");",
            _ => null,
        };
    }

    /// <param name="member">The member.</param>
    /// <param name="list">Variable that holds its items.</param>
    public void Emit(MemberModel member, string list)
    {
        var items = EmitSource(member, list);
        if (!member.IsPacked)
        {
            EmitAll(member, items);
            return;
        }

        if (message.FollowsProtobuf)
        {
            writer.Open($"if (!{items}.IsEmpty)"); // imported lists are contiguous
            EmitBlock(member, (ScalarModel)member.Value, items);
            writer.Close();
            return;
        }

        // As protobuf-net does: a block for none or several items, but no block for one.
        writer.Open($"if ({IsBlock(member, items)})");
        EmitBlock(member, (ScalarModel)member.Value, items);
        writer.Close();
        writer.Open("else");
        if (IsSpan(member) && member.Collection?.Source != ItemSource.Held) EmitItem(member, items + "[0]");
        else EmitAll(member, items);
        writer.Close();
    }

    /// <summary>Emits the statements that write flat messages into the open run of fields.</summary>
    /// <inheritdoc cref="Emit"/>
    public void EmitFlat(MemberModel member, string list)
    {
        var items = EmitSource(member, list);
        var item = $"value{member.Number}";
        writer.Open($"foreach ({member.ItemTypeName} {item} in {items})");
        EmitNullCheck(member, item);
        FlatWriteEmitter.Emit(writer, member, member.IsItemNullable ? item + ".GetValueOrDefault()" : item);
        writer.Close();
    }

    private static bool IsContiguous(MemberModel member) => member.Collection?.Source is null or ItemSource.List or ItemSource.Span;

    // Spans of collections. A held collection may not support a count.
    private static bool IsSpan(MemberModel member) =>
        member.Collection?.Source is null or ItemSource.List or ItemSource.Span or ItemSource.Held or ItemSource.HeldEntries;

    private static string IsBlock(MemberModel member, string items) => member.Collection?.Source switch
    {
        ItemSource.Counted => $"{items}.Count != 1",
        ItemSource.Uncounted => $"{items}.IsEmpty",
        ItemSource.Held => $"held{member.Number}.IsBlock",
        _ => $"{items}.Length != 1",
    };

    /// <returns>The C# expression to enumerate.</returns>
    private string EmitSource(MemberModel member, string list)
    {
        if (!IsSpan(member)) return list;
        var items = $"items{member.Number}";
        var held = $"held{member.Number}";
        var source = member.Collection?.Source;
        if (source == ItemSource.Held) writer.Line($"using var {held} = new HeldItems<{member.ItemTypeName}>({list});");
        else if (source == ItemSource.HeldEntries) writer.Line($"using var {held} = HeldEntries.Of({list});");

        var span = source is ItemSource.Held or ItemSource.HeldEntries ? held + ".Items" : SpanOf(member, list);
        writer.Line($"global::System.ReadOnlySpan<{member.ItemTypeName}> {items} = {span};");
        return items;
    }

    private static string SpanOf(MemberModel member, string list)
    {
        if (member.Collection?.Source == ItemSource.Span) return list + ".AsSpan()";
        bool isList = member.Collection?.Source == ItemSource.List || member.Container == Container.List;
        return isList ? $"global::System.Runtime.InteropServices.CollectionsMarshal.AsSpan({list})" : list;
    }

    // The runtime writes them; all others are converted one by one.
    private static bool IsWrittenWhole(ScalarModel value) => value.EnumUnderlying is null
        && value.Scalar is ScalarType.Boolean or ScalarType.Int32 or ScalarType.UInt32
            or ScalarType.Int64 or ScalarType.UInt64 or ScalarType.Single or ScalarType.Double;

    private void EmitAll(MemberModel member, string items)
    {
        if (member.Value is ScalarModel scalar)
        {
            EmitNumbers(member, member.Tag, scalar, items);
            return;
        }

        writer.Open($"foreach ({member.ItemTypeName} value{member.Number} in {items})");
        EmitItem(member, $"value{member.Number}");
        writer.Close();
    }

    private void EmitBlock(MemberModel member, ScalarModel value, string items)
    {
        uint tag = member.TagOf(WireType.Bytes);
        if (value.IsBlittable && IsSpan(member) && !member.IsItemNullable)
        {
            writer.Line($"writer.WritePacked({tag}, {items});");
            return;
        }

        writer.Line($"int block = writer.BeginBlock({tag});");
        EmitNumbers(member, 0, value, items);
        writer.Line("writer.EndBlock(block);");
    }

    private void EmitNumbers(MemberModel member, uint tag, ScalarModel value, string items)
    {
        if (IsWrittenWhole(value) && IsSpan(member) && !member.IsItemNullable)
        {
            writer.Line($"writer.Write{ValueWriteEmitter.FormOf(value)}s({tag}, {items});");
            return;
        }

        int size = (tag == 0 ? 0 : member.TagSize) + value.MaxSize;
        var number = $"value{member.Number}";
        writer.Line($"var item = writer.BeginFields({size});");
        writer.Open($"foreach ({member.ItemTypeName} {number} in {items})");
        EmitNullCheck(member, number);
        writer.Line($"if (!item.HasRoom({size})) item = writer.Continue(item, {size});");
        writer.Line(ValueWriteEmitter.Number("item", tag, value, member.IsItemNullable ? number + ".GetValueOrDefault()" : number));
        writer.Close();
        writer.Line("writer.EndFields(item);");
    }

    private void EmitItem(MemberModel member, string item)
    {
        EmitNullCheck(member, item);
        _values.Emit(member.Number, member.Value, member.IsItemNullable ? item + ".GetValueOrDefault()" : item);
    }

    private void EmitNullCheck(MemberModel member, string item)
    {
        if (member.Value.CanBeNull || member.IsItemNullable)
            writer.Line($"if ({item} is null) EncodeFault.ThrowNullItem(\"{message.DisplayName}\", \"{member.Name}\");");
    }
}
