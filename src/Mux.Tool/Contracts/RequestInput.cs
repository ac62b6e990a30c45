using System.Text.Json;

namespace Mux.Tool.Contracts;

/// <summary>Reads the requests of a load, or of calls, from JSON and encodes them all before the first is sent.</summary>
/// <remarks>
/// Without a request stream each value is a request, and so is each element of an array. With one, an array has the
/// items of a call: several arrays, or an array of arrays, are several calls, and values that are no arrays are the
/// items of one.
/// </remarks>
internal sealed class RequestInput
{
    private readonly CalledMethod _method;
    private readonly byte[] _json;

    private RequestInput(CalledMethod method, byte[] json) => (_method, _json) = (method, json);

    /// <param name="input">The JSON.</param>
    /// <param name="method">The method.</param>
    /// <param name="cancellationToken">Ends it.</param>
    /// <returns>The requests, at least one.</returns>
    /// <exception cref="ToolException">The file or a message cannot be read.</exception>
    public static async Task<IReadOnlyList<EncodedRequest>> ReadAsync(
        CallInput input, CalledMethod method, CancellationToken cancellationToken)
    {
        if (!input.IsGiven && method.Method is { IsRequestStream: false } && method.Request.IsEmpty)
            return [new EncodedRequest(default, [])];
        if (!input.IsGiven) throw Missing(method);
        return new RequestInput(method, await input.ReadBytesAsync(cancellationToken).ConfigureAwait(false)).Read();
    }

    private List<EncodedRequest> Read()
    {
        var values = Split();
        if (_method.Method.IsRequestStream) return Calls(values);
        if (values is [var only] && JsonValues.IsArray(_json.AsSpan(only))) values = ElementsOf(only);
        if (values.Count == 0) throw Missing(_method);
        var requests = new List<EncodedRequest>(values.Count);
        foreach (var value in values)
        {
            var place = values.Count == 1 ? "" : $"Request {requests.Count + 1}: ";
            requests.Add(new EncodedRequest(Encode(_method.Request, value, place), []));
        }

        return requests;
    }

    private List<EncodedRequest> Calls(List<Range> values)
    {
        int arrays = values.Count(IsArray);
        if (arrays > 0 && arrays < values.Count)
            throw Wrong("Some requests are arrays and some are not: expected an array of items for each call, or the items of one call.");
        if (arrays == 0) return [Call(values, "")];
        if (values is [var only] && ElementsOf(only) is { Count: > 0 } inner && inner.TrueForAll(IsArray))
            values = inner;
        return [.. values.Select((value, i) => Call(ElementsOf(value), values.Count == 1 ? "" : $"Request {i + 1}"))];
    }

    /// <param name="items">The message before the stream, if there is one, and the items.</param>
    /// <param name="call">Which call it is, for errors; empty for the only one.</param>
    private EncodedRequest Call(List<Range> items, string call)
    {
        ReadOnlyMemory<byte> message = default;
        if (_method.Arguments is { } arguments)
        {
            const string part = "message before the stream";
            if (items.Count == 0)
                throw Wrong($"{Place(call, part)}the method has one: expected it ahead of the items.");
            message = Encode(arguments, items[0], Place(call, part));
            items = items[1..];
        }

        var encoded = items.Select((item, i) =>
            (ReadOnlyMemory<byte>)Encode(_method.Request, item, Place(call, $"item {i + 1}")));
        return new EncodedRequest(message, [.. encoded]);
    }

    private static string Place(string call, string part) =>
        call.Length > 0 ? $"{call}, {part}: " : $"{char.ToUpperInvariant(part[0])}{part[1..]}: ";

    private List<Range> Split()
    {
        int begun = 0;
        try
        {
            return JsonValues.Split(_json, ref begun);
        }
        catch (JsonException error)
        {
            // Tells the path, if it is in the only request: places are those in all of the JSON.
            bool isOnly = _json.AsSpan(0, begun).Trim(" \t\r\n"u8).IsEmpty && !JsonValues.IsArray(_json.AsSpan(begun));
            if (isOnly && !_method.Method.IsRequestStream) Encode(_method.Request, .., "");
            throw Wrong($"The JSON cannot be read: line {error.LineNumber + 1}, byte {error.BytePositionInLine + 1} is wrong.");
        }
    }

    private bool IsArray(Range value) => JsonValues.IsArray(_json.AsSpan(value));

    private List<Range> ElementsOf(Range array)
    {
        int start = array.Start.Value;
        return JsonValues.Elements(_json.AsSpan(array))
            .ConvertAll(element => (start + element.Start.Value)..(start + element.End.Value));
    }

    private byte[] Encode(MessageText text, Range value, string place)
    {
        try
        {
            return text.Read(_json.AsSpan(value));
        }
        catch (InvalidDataException error)
        {
            throw Wrong($"{place}{error.Message}");
        }
    }

    private static ToolException Missing(CalledMethod method) => new(ExitCode.Usage, method.Method.IsRequestStream
        ? $"'{method.Name}' has a request stream: expected the items of a call as {CallInput.Name}, such as {CallInput.Name} '[{{}}, {{}}]'."
        : $"'{method.Name}' has a request: expected it as {CallInput.Name}, such as {CallInput.Name} '{{}}'.");

    private static ToolException Wrong(string message) => new(ExitCode.Usage, $"{CallInput.Name}: {message}");
}
