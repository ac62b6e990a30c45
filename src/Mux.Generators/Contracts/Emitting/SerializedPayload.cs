using Mux.Generators.Contracts.Models;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>C# for values that are sent by a serializer that the contract names. The last argument is an expression for the name in errors.</summary>
internal static class SerializedPayload
{
    /// <summary>Gets an expression for the name of a payload in errors.</summary>
    public static string NameOf(SerializedModel payload) => $"\"{payload.DisplayName}\"";

    /// <summary>Gets a statement that writes a value.</summary>
    public static string Write(SerializedModel payload, string value, string name) =>
        $"PayloadGuard.Write<{payload.Serializer}, {payload.TypeName}>(ref writer, {value}, {name});";

    /// <summary>Gets an expression that reads a value.</summary>
    public static string Read(SerializedModel payload, string name) => $"PayloadGuard.Read<{payload.Serializer}, {payload.TypeName}>(body, {name})";

    /// <summary>Gets a statement that checks whether the serializer accepts the values.</summary>
    public static string Prepare(SerializedModel payload, string name) => $"PayloadGuard.Prepare<{payload.Serializer}, {payload.TypeName}>({name});";
}
