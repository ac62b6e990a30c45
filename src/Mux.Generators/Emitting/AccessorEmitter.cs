using Mux.Generators.Models;

namespace Mux.Generators.Emitting;

/// <summary>Emits the declarations through which inaccessible members and constructors are called, without reflection.</summary>
internal static class AccessorEmitter
{
    private const string Attribute = "global::System.Runtime.CompilerServices.UnsafeAccessor";
    private const string Kind = "global::System.Runtime.CompilerServices.UnsafeAccessorKind";

    public static void Emit(SourceWriter writer, MessageModel message)
    {
        bool takesParameters = message.Construction == Construction.Parameters;
        var owner = (message.IsStruct ? "ref " : string.Empty) + message.TypeName + " target";
        for (int i = 0; i < message.Members.Count; i++)
        {
            var member = message.Members[i];
            bool isWritten = !takesParameters || !message.Parameters.Contains(i);
            if (member.Read == ReadAccess.Accessor) Method(writer, $"get_{member.Name}", $"{member.TypeName} {member.Name}_Get({owner})");
            if (isWritten && member.Write == WriteAccess.Accessor)
                Method(writer, $"set_{member.Name}", $"void {member.Name}_Set({owner}, {member.TypeName} value)");
            if (member.Read == ReadAccess.Field || (isWritten && member.Write == WriteAccess.Field))
                Declare(writer, $"({Kind}.Field, Name = \"{member.BackingField}\")", $"ref {member.TypeName} {member.Name}_Field({owner})");
        }

        if (message.Construction == Construction.Accessor) Declare(writer, $"({Kind}.Constructor)", $"{message.TypeName} New()");
        if (takesParameters && message.ConstructorNeedsAccessor)
        {
            var parameters = message.Parameters.Select((index, position) => $"{message.Members[index].TypeName} parameter{position}");
            Declare(writer, $"({Kind}.Constructor)", $"{message.TypeName} New({string.Join(", ", parameters)})");
        }
    }

    private static void Method(SourceWriter writer, string name, string signature)
    {
        Declare(writer, $"({Kind}.Method, Name = \"{name}\")", signature);
    }

    private static void Declare(SourceWriter writer, string arguments, string signature)
    {
        writer.Line();
        writer.Line($"[{Attribute}{arguments}]");
        writer.Line($"private static extern {signature};");
    }
}
