using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>
/// Emits the cases of a cursor loop. Each case continues directly with the case of the next member. A case that cannot read its field goes to the default,
/// which the caller emits; the cursor has not moved then.
/// </summary>
/// <param name="writer">Receives the code.</param>
/// <param name="access">Access to the members.</param>
internal sealed class CursorCaseEmitter(SourceWriter writer, MemberAccess access)
{
    /// <summary>True if the cursor reads a member: a value, or flat messages.</summary>
    public static bool Reads(MemberModel member) => IsFlat(member) || FastRead.Of(member) is not null;

    /// <param name="members">Members that the cursor reads, by number.</param>
    public void Emit(IReadOnlyList<MemberModel> members)
    {
        for (int i = 0; i < members.Count; i++)
        {
            var goOn = i + 1 < members.Count ? $"if (at.IsAt({members[i + 1].Tag})) goto case {members[i + 1].Tag};" : null;
            writer.Label($"case {members[i].Tag}:");
            if (IsFlat(members[i])) EmitFlat(members[i], goOn);
            else EmitValue(members[i], goOn);
        }
    }

    private static bool IsFlat(MemberModel member) => member.Value is NestedModel { IsReadInPlace: true };

    private void EmitValue(MemberModel member, string? goOn)
    {
        var read = FastRead.Of(member)!;
        var local = $"field{member.Number}";
        writer.Indented($"if (!at.{read.Method}({member.Tag}, out {read.Type} {local})) goto default;");
        writer.Indented($"{access.Set(member, read.Value(local))} {(goOn is null ? "break;" : $"{goOn} break;")}");
    }

    private void EmitFlat(MemberModel member, string? goOn)
    {
        var nested = (NestedModel)member.Value;
        int size = ValueReadEmitter.SizeOf(nested.IsStruct, nested.Size, ReadPlace.New with { IsSlot = member.IsRepeated });
        writer.Open();
        if (member.Container == Container.Single) EmitMessage(member, nested, size);
        else EmitMessages(member, nested, size);
        if (goOn is not null) writer.Line(goOn);
        writer.Line("break;");
        writer.Close();
    }

    private void EmitMessage(MemberModel member, NestedModel nested, int size)
    {
        writer.Line($"if (!at.TryMessage({member.Tag}, out var content) || !reader.TryPayForMessage({size})) goto default;");
        writer.Line($"var item = {access.Get(member)} ?? new {nested.TypeName}();");
        EmitContent(nested);
        writer.Line(access.Set(member, "item"));
    }

    private void EmitMessages(MemberModel member, NestedModel nested, int size)
    {
        bool isList = member.Container == Container.List;
        var first = isList ? $"{access.Get(member)} is null ? {size + ObjectSizes.List} : {size}" : $"{size}";
        writer.Line($"if (!at.TryMessage({member.Tag}, out var content) || !reader.TryPayForMessage({first})) goto default;");
        writer.Line(isList ? $"var items = {access.Get(member)} ?? {member.Empty};" : $"ref var items = ref {MemberReadEmitter.PartsOf(member)};");
        writer.Open("do");
        writer.Line($"var item = new {nested.TypeName}();");
        EmitContent(nested);
        writer.Line("items.Add(item);");
        writer.Close();
        writer.Line($"while (at.IsAt({member.Tag}) && at.TryMessage({member.Tag}, out content) && reader.TryPayForMessage({size}));");
        if (isList) writer.Line(access.Set(member, "items"));
    }

    private void EmitContent(NestedModel nested)
    {
        writer.Line($"content = {nested.Codec}.{FlatReadEmitter.Fields}(content, item);");
        writer.Line($"if (content.HasMore) at = {nested.Codec}.{FlatReadEmitter.Rest}(ref reader, at, content, item);");
        writer.Line("else at.Pass(content);");
    }
}
