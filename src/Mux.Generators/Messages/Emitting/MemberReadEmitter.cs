using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits the statements after a case label that read one member.</summary>
internal sealed class MemberReadEmitter(SourceWriter writer, MessageModel message, MemberAccess access)
{
    private readonly ValueReadEmitter _values = new(writer);
    private readonly RepeatedReadEmitter _items = new(writer, message, access);

    /// <summary>Name of the variable that collects the items of all arrays.</summary>
    public const string Parts = "parts";

    /// <summary>Gets the field of <see cref="Parts"/> for a member whose parts are joined.</summary>
    public static string FieldOf(MemberModel member) => $"Items{member.Number}";

    /// <summary>Gets the type of this field.</summary>
    public static string BufferOf(MemberModel member) => $"ItemBuffer<{(member.IsRepeated ? member.ItemTypeName : "byte")}>";

    /// <summary>Emits the body of a case, its break included.</summary>
    /// <param name="member">The member.</param>
    /// <param name="tag">A constant if the label leaves one possibility, so that the compiler can fold the rest; otherwise the variable.</param>
    public void Emit(MemberModel member, string tag)
    {
        if (member.IsRepeated)
        {
            _items.Emit(member);
            return;
        }

        if (ValueReadEmitter.Expression(member.Value, tag, Place(member)) is { } expression)
        {
            writer.Indented($"{access.Set(member, expression)} break;");
            return;
        }

        writer.Open();
        _values.Emit(member.Value, tag, Place(member), value => Set(member, value));
        writer.Line("break;");
        writer.Close();
    }

    /// <inheritdoc cref="RepeatedReadEmitter.EmitPacked"/>
    public void EmitPacked(MemberModel member) => _items.EmitPacked(member);

    /// <summary>Emits the statement that joins the parts of an array or collection after the last field.</summary>
    public void EmitJoin(MemberModel member)
    {
        if (member.Container == Container.Collection) _items.EmitJoin(member);
        else writer.Line($"if (!{PartsOf(member)}.IsEmpty) {access.Set(member, $"{PartsOf(member)}.ToArray(ref reader, {Before(member)})")}");
    }

    /// <summary>Gets the C# expression of this field.</summary>
    public static string PartsOf(MemberModel member) => $"{Parts}.{FieldOf(member)}";

    // The content before the parts: an array, or an expression that converts to a span.
    private string Before(MemberModel member) =>
        member.Value is BytesModel bytes && !member.IsRepeated ? Place(member).Existing + bytes.ToSpan : access.Get(member);

    // A wrapped collection without a setter is filled like any other.
    private string Set(MemberModel member, string value)
    {
        if (member.Write != WriteAccess.InPlace) return access.Set(member, value);
        var reason = $"{message.DisplayName}.{member.Name} has no setter and holds no collection that can be filled.";
        string check = $"if (!object.ReferenceEquals({value}, {access.Get(member)})) throw new global::System.InvalidOperationException(\"{reason}\");";
        return $"{check} {access.NoteRead(member)}".TrimEnd();
    }

    private ReadPlace Place(MemberModel member)
    {
        var existing = member.Container == Container.Nullable ? access.Get(member) + ".GetValueOrDefault()" : access.Get(member);
        return new ReadPlace(existing, member.IsJoined ? PartsOf(member) : null);
    }
}
