using System.Text;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Messages.Models;

namespace Mux.Generators.Contracts.Reading;

/// <summary>
/// Computes the two numbers with which the sides of a method check that they mean the same bytes. They depend on field numbers, kinds of values and nesting,
/// but not on C# names.
/// </summary>
/// <remarks>The hashed text must stay the same for existing shapes: sides built by different versions of the generator compare it.</remarks>
internal sealed class ShapeFingerprints(IEnumerable<MessageModel> messages)
{
    private readonly Dictionary<string, MessageModel> _byCodec = messages.ToDictionary(static message => message.Codec, StringComparer.Ordinal);

    public MethodModel AddTo(MethodModel method)
    {
        var request = Describe(method, method.Request);
        if (method.RequestStream is not null && request is not null) request = Describe(method, method.Item) is { } item ? $"{request}+{item}" : null;
        var response = Describe(method, method.CallbackResult ?? method.Response);
        foreach (var callback in method.Callbacks.SelectMany(MethodsOf))
        {
            // Arguments of callbacks travel like responses, and their results like requests.
            var inner = callback with { Choices = method.Choices };
            request = Describe(inner, inner.Response) is { } answer && request is not null ? $"{request}+{inner.WireName}{answer}" : null;
            response = Describe(inner, inner.Request) is { } message && response is not null ? $"{response}+{inner.WireName}{message}" : null;
        }

        return method with { RequestFingerprint = Hash(request), ResponseFingerprint = Hash(response) };
    }

    // By name, as they are found: their order in the interface may differ.
    private static IEnumerable<MethodModel> MethodsOf(CallbackContractModel callback) =>
        callback.Methods.OrderBy(static method => method.WireName, StringComparer.Ordinal);

    /// <summary>For another serializer, only the format is known here. Null if the format is the codec's, so that nothing is known.</summary>
    private string? Describe(MethodModel method, PayloadModel payload)
    {
        if (payload.Form == PayloadForm.Bytes) return "raw";
        if (payload.Serialized is { TypeName: not null }) return method.Choices.Format == ChoicesModel.Protobuf ? null : "format " + method.Choices.Format;
        if (payload.Codec is null) return "none";
        var text = new StringBuilder();
        Append(text, method.Arguments?.Codec == payload.Codec ? method.Arguments : _byCodec[payload.Codec]);
        return text.ToString();
    }

    // With a stack of its own: a chain of messages may be longer than the stack of a thread allows.
    private void Append(StringBuilder text, MessageModel start)
    {
        var met = new Dictionary<string, int>(StringComparer.Ordinal);
        var open = new Stack<IEnumerator<MessageModel>>();
        open.Push(AppendFields(text, Enter(text, start, met)!, met));
        while (open.Count > 0)
        {
            if (open.Peek().MoveNext()) open.Push(AppendFields(text, open.Peek().Current, met));
            else open.Pop();
        }
    }

    // A message that repeats, as in a cycle, is represented by the number of its first occurrence: null then.
    private MessageModel? Enter(StringBuilder text, MessageModel message, Dictionary<string, int> met)
    {
        message = WrittenFor(message);
        if (met.TryGetValue(message.Codec, out int first))
        {
            text.Append('@').Append(first);
            return null;
        }

        met.Add(message.Codec, met.Count);
        return message;
    }

    // Returns each message whose fields come next, and continues after them.
    private IEnumerator<MessageModel> AppendFields(
        StringBuilder text, MessageModel message, Dictionary<string, int> met)
    {
        text.Append('{');
        foreach (var member in message.Members)
        {
            text.Append(member.Number).Append(member.IsRepeated ? '*' : ':');
            if (member.IsPacked) text.Append("packed ");
            if (Enter(text, member.Value, met) is { } inner) yield return inner;
            text.Append(';');
        }

        foreach (var include in message.Includes)
        {
            text.Append(include.Number).Append('>').Append(include.IsGroup ? "group" : "message");
            if (_byCodec.TryGetValue(include.Codec, out var part)) yield return part;
            text.Append(';');
        }

        text.Append('}');
    }

    // A surrogate represents its message, and the root of a class hierarchy represents all of its classes.
    private MessageModel WrittenFor(MessageModel message)
    {
        while ((message.Surrogate?.Codec ?? message.Hierarchy?.RootCodec) is { } codec && codec != message.Codec
            && _byCodec.TryGetValue(codec, out var written))
        {
            message = written;
        }

        return message;
    }

    private MessageModel? Enter(StringBuilder text, ValueModel value, Dictionary<string, int> met)
    {
        while (value is ConvertedModel converted) value = converted.Surrogate;
        text.Append(value.Kind);
        if (value is EnvelopeModel envelope) return envelope.Message;
        return value is NestedModel nested && _byCodec.TryGetValue(nested.Codec, out var message)
            ? Enter(text, message, met) : null;
    }

    // FNV-1a: the same in every process. 0 means an unknown shape.
    private static uint Hash(string? text)
    {
        if (text is null) return 0;
        uint hash = 2166136261;
        foreach (char c in text) hash = unchecked((hash ^ c) * 16777619);
        return hash == 0 ? 1 : hash;
    }
}
