using Mux.Generators.Contracts.Models;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>The C# by which a value travels under a serializer that the contract names.</summary>
internal static class SerializedPayload
{
    /// <summary>A statement that writes a value.</summary>
    public static string Write(SerializedModel payload, string value) =>
        $"PayloadGuard.Write<{payload.Serializer}, {payload.TypeName}>(ref writer, {value}, \"{payload.DisplayName}\");";

    /// <summary>An expression that reads one; of nothing, whatever a newer peer puts there.</summary>
    public static string Read(SerializedModel payload) =>
        payload.TypeName is null ? "default(MuxUnit)" : $"PayloadGuard.Read<{payload.Serializer}, {payload.TypeName}>(body, \"{payload.DisplayName}\")";

    /// <summary>Emits the method that finds out whether the serializer takes what the method sends; nothing where the codec is used.</summary>
    public static void EmitPrepare(SourceWriter writer, MethodModel method)
    {
        var payloads = new[] { method.Request.Serialized, method.Item.Serialized, method.Response.Serialized }.Concat(
            method.Errors.Select(static error => error.Serialized))
            .Where(static payload => payload?.TypeName is not null).ToList();
        if (payloads.Count == 0) return;
        writer.Line();
        writer.Open("public static void Prepare()");
        foreach (var payload in payloads) writer.Line($"PayloadGuard.Prepare<{payload!.Serializer}, {payload.TypeName}>(\"{payload.DisplayName}\");");
        writer.Close();
    }
}
