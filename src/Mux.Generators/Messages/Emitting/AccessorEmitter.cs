using Mux.Generators.Messages.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Messages.Emitting;

/// <summary>Emits declarations that call inaccessible members and constructors without reflection.</summary>
internal static class AccessorEmitter
{
    private const string Attribute = "global::System.Runtime.CompilerServices.UnsafeAccessor";
    private const string Kind = "global::System.Runtime.CompilerServices.UnsafeAccessorKind";

    public static void Emit(SourceWriter writer, MessageModel message)
    {
        var declarations = MembersOf(message).Concat(ConditionsOf(message)).Concat(CallbacksOf(message)).Concat(ConstructorsOf(message)).ToList();
        if (declarations.Count == 0) return;
        if (message.Generic is { } generic)
        {
            // The runtime finds members of a generic type by the type parameters of the class around the declaration.
            writer.Line();
            writer.Open($"private static class Of_Accessors<{generic.Parameters}>{generic.Constraints}");
        }

        bool isFirst = message.Generic is not null;
        foreach (var (arguments, signature) in declarations)
        {
            if (!isFirst) writer.Line();
            isFirst = false;
            writer.Line($"[{Attribute}({arguments})]");
            writer.Line($"{(message.Generic is null ? "private" : "internal")} static extern {signature};");
        }

        if (message.Generic is not null) writer.Close();
    }

    /// <summary>Emits the declaration of a static method of a type, which the first parameter names.</summary>
    public static void EmitStatic(SourceWriter writer, string method, string signature)
    {
        writer.Line();
        writer.Line($"[{Attribute}({Kind}.StaticMethod, Name = \"{method}\")]");
        writer.Line($"private static extern {signature};");
    }

    private static string OwnerOf(MessageModel message, string type) => (message.IsStruct ? "ref " : string.Empty) + type + " target";

    private static string OwnerOf(MessageModel message) => OwnerOf(message, TypeOf(message));

    private static string TypeOf(MessageModel message) => message.Generic?.Definition ?? message.TypeName;

    private static string TypeOf(MemberModel member) => member.DefinitionType ?? member.TypeName;

    private static IEnumerable<(string Arguments, string Signature)> MembersOf(MessageModel message)
    {
        var owner = OwnerOf(message);
        var members = message.KeptFields is { } kept ? [.. message.Members, kept] : message.Members.ToArray();
        for (int i = 0; i < members.Length; i++)
        {
            var member = members[i];
            bool isWritten = message.Construction != Construction.Parameters || !message.Parameters.Contains(i);
            if (member.Read == ReadAccess.Accessor) yield return Method($"get_{member.Name}", $"{TypeOf(member)} {member.Name}_Get({owner})");
            if (isWritten && member.Write == WriteAccess.Accessor)
            {
                yield return Method($"set_{member.Name}", $"void {member.Name}_Set({owner}, {TypeOf(member)} value)");
            }

            if (member.Read == ReadAccess.Field || (isWritten && member.Write == WriteAccess.Field))
                yield return ($"{Kind}.Field, Name = \"{member.BackingField}\"", $"ref {TypeOf(member)} {member.Name}_Field({owner})");
        }
    }

    // Accessors do not search base classes: use the class that declares the condition.
    private static IEnumerable<(string Arguments, string Signature)> ConditionsOf(MessageModel message)
    {
        foreach (var member in message.Members)
        {
            if (member.Condition is not { } condition) continue;
            var owner = OwnerOf(message, condition.OwnerType);
            if (condition.NeedsAccessor)
            {
                yield return Method(condition.IsMethod ? condition.Name : $"get_{condition.Name}", $"bool {member.Name}_IsWritten({owner})");
            }

            if (condition.SetNeedsAccessor) yield return Method($"set_{condition.Name}", $"void {member.Name}_NoteRead({owner}, bool value)");
        }
    }

    private static IEnumerable<(string Arguments, string Signature)> CallbacksOf(MessageModel message)
    {
        foreach (var callback in message.Callbacks.Where(static callback => callback.NeedsAccessor))
        {
            var parameters = string.Concat(callback.ParameterTypes.Select(static (type, i) => $", {type} parameter{i}"));
            yield return Method(callback.Name, $"void Call_{callback.Moment}({OwnerOf(message)}{parameters})");
        }
    }

    private static IEnumerable<(string Arguments, string Signature)> ConstructorsOf(MessageModel message)
    {
        if (message.Construction == Construction.Accessor) yield return ($"{Kind}.Constructor", $"{TypeOf(message)} Call_New()");
        if (message.Construction != Construction.Parameters || !message.ConstructorNeedsAccessor) yield break;
        var parameters = message.Parameters.Select((index, position) => $"{TypeOf(message.Members[index])} parameter{position}");
        yield return ($"{Kind}.Constructor", $"{TypeOf(message)} Call_New({string.Join(", ", parameters)})");
    }

    private static (string Arguments, string Signature) Method(string name, string signature) => ($"{Kind}.Method, Name = \"{name}\"", signature);
}
