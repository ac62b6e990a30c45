using Mux.Generators.Contracts.Models;
using Mux.Generators.Symbols;
using Mux.Generators.Text;

namespace Mux.Generators.Contracts.Emitting;

/// <summary>
/// Emits the classes that write and read the payloads of one contract: one per type of message, which all methods with this message share. The runtime has the
/// classes for bytes, for results, and for no value where a serializer is named.
/// </summary>
internal sealed class PayloadEmitter(SourceWriter writer)
{
    private readonly Dictionary<(string? Serializer, string Message, bool IsRequired), string> _names = [];
    private readonly List<(string Name, PayloadModel Payload)> _classes = [];

    /// <summary>Gets an expression that creates the codec of a payload.</summary>
    /// <param name="payload">The payload.</param>
    /// <param name="place">Its method and direction, for the name of a class that has no codec to be named after.</param>
    public string CreationOf(PayloadModel payload, string place)
    {
        var name = $"\"{payload.DisplayName}\"";
        if (payload.Form == PayloadForm.Bytes) return $"new ByteChunkCodec({name})";
        if (payload.Form == PayloadForm.CallbackAnswer) return $"new {CallbackEmitter.Runtime}CallbackAnswerCodec({name})";
        if (payload.Form == PayloadForm.CallbackMessage) return $"new {CallbackEmitter.Runtime}CallbackMessageCodec({name}, {CallbackEmitter.ShapeAt(place)})";
        var codec = payload switch
        {
            { Serialized: { TypeName: null } } => $"new EmptyCodec({name})",
            { Serialized: { } serialized } => $"new {ClassOf(payload, place)}({SerializedPayload.NameOf(serialized)})",
            { IsNamed: false } => $"new {ClassOf(payload, place)}()",
            _ => $"new {ClassOf(payload, place)}({name})",
        };
        return payload.Form == PayloadForm.Result ? $"new ResultCodec<{payload.ValueType}>({codec})" : codec;
    }

    /// <summary>Emits the classes of all payloads so far.</summary>
    public void EmitClasses()
    {
        foreach (var (name, payload) in _classes)
        {
            writer.Line();
            EmitClass(name, payload);
        }
    }

    private string ClassOf(PayloadModel payload, string place)
    {
        var (serializer, message) = (payload.Serialized?.Serializer, payload.Serialized?.TypeName ?? payload.Codec ?? string.Empty);
        if (_names.TryGetValue((serializer, message, payload.IsRequired), out var name)) return name;
        name = serializer is not null ? place : payload.Codec ?? "Empty";
        name += payload.IsRequired ? "_RequiredMessages" : "_Messages";
        _names.Add((serializer, message, payload.IsRequired), name);
        _classes.Add((name, payload));
        return name;
    }

    private void EmitClass(string name, PayloadModel payload)
    {
        var type = payload.Serialized?.TypeName ?? payload.ValueType;
        var (parameter, argument) = payload.IsNamed ? ("string name", "name") : (string.Empty, "\"\"");
        writer.Open($"private sealed class {name}({parameter}) : MessageCodec<{type}>({argument})");
        writer.Open($"public override void Encode(ref MessageWriter writer, {type} message)");
        if (payload.Serialized is { } written) writer.Line(SerializedPayload.Write(written, "message", "Name"));
        else if (payload.Codec is not null)
        {
            if (payload.RefusesNull) writer.Line("if (message is null) EncodeFault.ThrowNullMessage(Name);");
            if (payload.IsRequired) writer.Line("if (message is null) EncodeFault.ThrowNullArgument(Name);");
            foreach (var required in payload.Required)
                writer.Line($"if (message.{SymbolText.Escape(required)} is null) EncodeFault.ThrowNullArgument(\"{payload.DisplayName}({required})\");");
            writer.Line($"{payload.Codec}.Write(ref writer, message);");
        }

        writer.Close();
        EmitRead(payload, $"public override {type} Decode(global::System.ReadOnlySpan<byte> body)");
        if (payload.Serialized is { } prepared)
        {
            writer.Line();
            writer.Open("public override void Prepare()");
            writer.Line(SerializedPayload.Prepare(prepared, "Name"));
            writer.Close();
        }

        writer.Close();
    }

    private void EmitRead(PayloadModel payload, string head)
    {
        var value = payload switch
        {
            { Serialized: { } serialized } => SerializedPayload.Read(serialized, "Name"),
            { Codec: null } => "EmptyMessage.Read(body, Name)",
            { RefusesNull: true } => $"{payload.Codec}.Read(body)",
            _ => $"{payload.Codec}.Read(ref reader, {payload.Initial})",
        };
        if (payload is not { Codec: { } codec, RefusesNull: false })
        {
            writer.Line($"{head} => {value};");
            return;
        }

        writer.Open(head);
        writer.Line($"var reader = new MessageReader(body, {codec}.Schema);");
        writer.Line($"return {value};");
        writer.Close();
    }
}
