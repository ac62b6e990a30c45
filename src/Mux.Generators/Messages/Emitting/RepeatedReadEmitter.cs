using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the statements that read the items of one member into its collection.</summary>
internal sealed class RepeatedReadEmitter(SourceWriter writer, MessageModel message, MemberAccess access)
{
    private const int IntPtrSize = 8;

    private readonly ValueReadEmitter _values = new(writer);

    // Items of imported messages have one wire type, as in protobuf; protobuf-net takes them as they come.
    private string IsAlike => message.FollowsProtobuf ? ", isAlike: true" : string.Empty;

    /// <summary>Emits the body of a case, its break included.</summary>
    public void Emit(MemberModel member)
    {
        if ((Numbers(member) ?? Texts(member)) is { } statement)
        {
            writer.Indented($"{statement} break;");
            return;
        }

        writer.Open();
        switch (member.Container)
        {
            case Container.List:
                EmitList(member);
                break;
            case Container.Array:
                EmitArray(member);
                break;
            default:
                EmitCollection(member, member.Collection!);
                break;
        }

        writer.Line("break;");
        writer.Close();
    }

    /// <summary>Emits the body of a case for a packed block whose bytes are copied unchanged.</summary>
    public void EmitPacked(MemberModel member)
    {
        var existing = member.Write == WriteAccess.InPlace ? Filled(member) : access.Get(member);
        var read = $"reader.ReadPacked({existing}{(member.IsJoined ? $", ref {MemberReadEmitter.PartsOf(member)}" : string.Empty)})";
        var statement = member.Write == WriteAccess.InPlace ? $"{read}; {access.NoteRead(member)}".TrimEnd() : access.Set(member, read);
        writer.Indented($"{statement} break;");
    }

    /// <summary>Emits the statements that add collected items to a collection after the last field.</summary>
    public void EmitJoin(MemberModel member)
    {
        var items = MemberReadEmitter.PartsOf(member);
        writer.Open($"if (!{items}.IsEmpty)");
        EmitFill(member, member.Collection!, items);
        writer.Close();
    }

    /// <summary>Gets the statement that reads the numbers of a list or an array; null if it takes several.</summary>
    public string? Numbers(MemberModel member)
    {
        bool isPlain = !member.IsItemNullable && !member.Overwrites && member.Write != WriteAccess.InPlace;
        if (!isPlain || member.Value is not ScalarModel { FollowsProtobuf: false } scalar) return null;
        var types = $"{member.ItemTypeName}, {ReaderOf(scalar)}";
        var existing = access.Get(member);
        return member.Container switch
        {
            Container.List => access.Set(member, $"RepeatedItems.ReadList<{types}>(ref reader, tag, {member.Tag}, {existing})"),
            Container.Array => $"if (RepeatedItems.ReadsNone<{types}>(ref reader, tag, {member.Tag}, ref {MemberReadEmitter.PartsOf(member)})) " +
                access.Set(member, $"{existing} ?? {member.Empty}"),
            _ => null,
        };
    }

    // Those of imported messages have one wire type.
    private string? Texts(MemberModel member)
    {
        bool isPlain = !member.Overwrites && member.Write != WriteAccess.InPlace && !message.FollowsProtobuf;
        if (!isPlain || member.Value is not TextModel) return null;
        return member.Container switch
        {
            Container.List => access.Set(member, $"RepeatedItems.ReadTexts(ref reader, tag, {access.Get(member)})"),
            Container.Array => $"RepeatedItems.ReadTexts(ref reader, tag, ref {MemberReadEmitter.PartsOf(member)});",
            _ => null,
        };
    }

    private static string ReaderOf(ScalarModel scalar)
    {
        var reader = $"{(scalar.Format == ScalarFormat.ZigZag ? "ZigZag" : string.Empty)}{scalar.Scalar}Number";
        return scalar.EnumUnderlying is { } underlying ? $"EnumNumber<{scalar.TypeName}, {underlying}, {reader}>" : reader;
    }

    private void EmitList(MemberModel member)
    {
        if (member.Write == WriteAccess.InPlace) writer.Line($"var items = {Filled(member)};");
        else writer.Line($"var items = {access.Get(member)} ?? reader.PayForMemory({member.Empty}, {ObjectSizes.List});");
        if (member.Overwrites) writer.Line("items.Clear();");
        EmitItems(member, "items");
        if (member.Write != WriteAccess.InPlace) writer.Line(access.Set(member, "items"));
        else if (access.NoteRead(member) is { } note) writer.Line(note);
    }

    private void EmitArray(MemberModel member)
    {
        writer.Line($"ref var items = ref {MemberReadEmitter.PartsOf(member)};");
        if (member.Overwrites)
        {
            writer.Line("items.Clear();");
            writer.Line(access.Set(member, member.Empty!));
        }

        EmitItems(member, "ref items");
        // A block may have no items.
        if (member.Value is ScalarModel) writer.Line($"if (items.IsEmpty) {access.Set(member, $"{access.Get(member)} ?? {member.Empty}")}");
    }

    private void EmitCollection(MemberModel member, CollectionModel collection)
    {
        writer.Line(member.IsJoined ? $"ref var items = ref {MemberReadEmitter.PartsOf(member)};"
            : $"var items = default({MemberReadEmitter.BufferOf(member)});");
        if (member.Overwrites) EmitClear(member, collection);
        EmitItems(member, "ref items");
        if (!member.IsJoined) EmitFill(member, collection, "items");
        // A block may have no items.
        else if (member.Value is ScalarModel && member.Write != WriteAccess.InPlace)
            writer.Line($"if (items.IsEmpty) {access.Set(member, OrEmpty(member, collection))}");
    }

    private void EmitClear(MemberModel member, CollectionModel collection)
    {
        if (member.IsJoined) writer.Line("items.Clear();");
        if (collection.Target is { } target)
        {
            writer.Line(collection.IsTable ? $"ClearedTable.Clear(ref reader, ({target}){access.Get(member)});"
                : $"(({target}){access.Get(member)})?.Clear();");
        }
        else writer.Line(access.Set(member, collection.MadeFor("reader")));
    }

    private void EmitFill(MemberModel member, CollectionModel collection, string items)
    {
        if (member.Write == WriteAccess.InPlace && access.NoteRead(member) is { } note) writer.Line(note);
        var unique = collection.IsMap ? $", isUnique: {(collection.IsUnique ? "true" : "false")}" : string.Empty;
        if (collection.Target is { } target)
        {
            bool isFixed = member.Write == WriteAccess.InPlace;
            writer.Line($"var target{member.Number} = {(isFixed ? Filled(member) : access.Get(member) + " ?? " + collection.MadeFor("reader"))};");
            writer.Line($"{items}.AddTo(ref reader, {member.Tag}, {(member.TypeName == target ? string.Empty : $"({target})")}target{member.Number}{unique});");
            if (!isFixed) writer.Line(access.Set(member, $"target{member.Number}"));
            return;
        }

        if (member.Write != WriteAccess.InPlace)
        {
            var cast = collection.IsInterface ? $"({member.TypeName})" : string.Empty;
            writer.Line(access.Set(member, $"{cast}{items}.AppendTo(ref reader, {member.Tag}, {access.Get(member)}{unique})"));
            return;
        }

        writer.Line($"var target{member.Number} = {Filled(member)};");
        var reason = $"{message.DisplayName}.{member.Name} has no setter and holds a collection that nothing can be added to.";
        var appended = $"{items}.AppendTo(ref reader, {member.Tag}, target{member.Number}{unique})";
        writer.Line($"if (!object.ReferenceEquals({appended}, target{member.Number})) " +
            $"throw new global::System.InvalidOperationException(\"{reason}\");");
    }

    private string OrEmpty(MemberModel member, CollectionModel collection)
    {
        var existing = access.Get(member);
        return collection.Source == ItemSource.Span ? $"{existing}.IsDefault ? {collection.Empty} : {existing}"
            : existing + " ?? " + collection.MadeFor("reader");
    }

    // A collection without a setter is filled in place.
    private string Filled(MemberModel member)
    {
        var reason = $"{message.DisplayName}.{member.Name} has no setter and holds null, so nothing can be read into it.";
        return $"({access.Get(member)} ?? throw new global::System.InvalidOperationException(\"{reason}\"))";
    }

    // Memory of an item's place in excess of eight bytes per byte of the item, which has at least two.
    private static int SurplusOf(MemberModel member)
    {
        int ofMemory = member.Value is BytesModel { Form: not BytesForm.Array } ? IntPtrSize : 0;
        int ofFlag = member is { IsItemNullable: true, Value: BytesModel or FrameworkModel } ? IntPtrSize : 0;
        return ofMemory + ofFlag;
    }

    private void EmitItems(MemberModel member, string items)
    {
        if (member.Value is ScalarModel)
        {
            writer.Line($"var sequence = RepeatedItems.Begin(ref reader, tag, {member.Tag}, {items});");
            var found = message.FollowsProtobuf ? $"{member.Tag}" : "sequence.Tag";
            var number = ValueReadEmitter.Number((ScalarModel)member.Value, found);
            writer.Line($"while (sequence.Next(ref reader{IsAlike})) items.Add({number});");
            return;
        }

        writer.Open("do");
        if (SurplusOf(member) is > 0 and var surplus) writer.Line($"reader.PayForMemory({surplus});");
        _values.Emit(member.Value, "tag", ReadPlace.New with { IsSlot = member.Container != Container.Collection }, static value => $"items.Add({value});");
        writer.Close();
        writer.Line($"while (reader.ReadNext(ref tag{IsAlike}));");
    }
}
