using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>C# for values that are sent by a serializer that the contract names.</summary>
internal static class SerializedPayload
{
    /// <summary>Gets a statement that writes a value.</summary>
    public static string Write(SerializedModel payload, string value) =>
        $"PayloadGuard.Write<{payload.Serializer}, {payload.TypeName}>(ref writer, {value}, \"{payload.DisplayName}\");";

    /// <summary>Gets an expression that reads a value. For no value, ignores what a newer peer sends.</summary>
    public static string Read(SerializedModel payload) =>
        payload.TypeName is null ? "default(MuxUnit)" : $"PayloadGuard.Read<{payload.Serializer}, {payload.TypeName}>(body, \"{payload.DisplayName}\")";

    /// <summary>Emits the method that checks whether the serializer accepts the method's payloads; nothing if the codec is used.</summary>
    public static void EmitPrepare(SourceWriter writer, MethodModel method)
    {
        var payloads = new[] { method.Request.Serialized, method.Item.Serialized, method.Response.Serialized }
            .Concat(method.Errors.Select(static error => error.Serialized))
            .Where(static payload => payload?.TypeName is not null).ToList();
        if (payloads.Count == 0) return;
        writer.Line();
        writer.Open("public static void Prepare()");
        foreach (var payload in payloads) writer.Line($"PayloadGuard.Prepare<{payload!.Serializer}, {payload.TypeName}>(\"{payload.DisplayName}\");");
        writer.Close();
    }
}
