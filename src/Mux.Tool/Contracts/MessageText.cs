using System.Buffers;
using System.Text.Encodings.Web;
using System.Text.Json;
using Mux.Description;
using Mux.Tool.Reporting;

namespace Mux.Tool.Contracts;

/// <summary>Turns one kind of messages into a line of JSON and back.</summary>
internal sealed class MessageText
{
    private const string Empty = "google.protobuf.Empty", RawBytes = "mux.RawBytes", Opaque = "mux.Opaque";

    /// <summary>Bytes of the largest message that has JSON here.</summary>
    public const int LargestMessage = 64 << 20;

    /// <summary>Bytes of the longest JSON of a message.</summary>
    public const int LargestJson = 256 << 20;

    private static readonly JsonWriterOptions s_line = new() { Encoder = JavaScriptEncoder.UnsafeRelaxedJsonEscaping };

    private readonly MessageType _type;
    private readonly MessageJson _json;

    /// <param name="type">The messages.</param>
    /// <param name="format">The format of the method, which is that of an opaque message.</param>
    /// <param name="set">The description, which has the messages that others may hold.</param>
    /// <param name="writesDefaults">True to write fields without presence also where they are zero or empty.</param>
    /// <exception cref="ToolException">Messages of the format have no JSON.</exception>
    public MessageText(MessageType type, string format, ContractSet set, bool writesDefaults = false)
    {
        _type = type;
        _json = new MessageJson(type, new MessageJsonOptions
        {
            AnyTypes = set,
            WriteDefaults = writesDefaults,
            MaxMessageBytes = LargestMessage, // the channel and the server have their own limits
            MaxJsonBytes = LargestJson,
        });
        if (type.FullName != Opaque || format.EndsWith("json", StringComparison.OrdinalIgnoreCase)) return;
        throw new ToolException(ExitCode.Usage,
            $"The method has messages in the format '{format}': expected protobuf or json, which have JSON.");
    }

    /// <summary>Gets a value indicating whether there is nothing to give.</summary>
    public bool IsEmpty => _type.FullName == Empty;

    /// <exception cref="InvalidDataException">The JSON is not that of a message; the text names the path.</exception>
    public byte[] Read(ReadOnlySpan<byte> json)
    {
        try
        {
            if (_type.FullName == Opaque) return Line(json);
            if (_type.FullName == RawBytes)
                return JsonSerializer.Deserialize(json, MessageTextContext.Default.ByteArray) ?? [];
        }
        catch (JsonException error)
        {
            var expected = _type.FullName == RawBytes ? "expected a text in base64" : "expected JSON";
            var place = $"line {error.LineNumber + 1}, byte {error.BytePositionInLine + 1}";
            throw new InvalidDataException($"The JSON cannot be read: {expected}; {place} is wrong.", error);
        }

        var message = new ArrayBufferWriter<byte>();
        _json.Read(json, message);
        return message.WrittenSpan.ToArray();
    }

    /// <summary>Gets JSON in one line without control characters, whatever a peer sent.</summary>
    /// <exception cref="InvalidDataException">The bytes are no such message.</exception>
    public byte[] Write(ReadOnlySpan<byte> message)
    {
        if (_type.FullName == RawBytes)
            return JsonSerializer.SerializeToUtf8Bytes(message.ToArray(), MessageTextContext.Default.ByteArray);
        if (_type.FullName == Opaque)
        {
            try
            {
                return PrintableJson.Of(Line(message));
            }
            catch (JsonException error)
            {
                throw new InvalidDataException("The message is no JSON, which the contract promises.", error);
            }
        }

        var json = new ArrayBufferWriter<byte>();
        _json.Write(message, json);
        return PrintableJson.Of(json.WrittenSpan);
    }

    private static byte[] Line(ReadOnlySpan<byte> json)
    {
        var line = new ArrayBufferWriter<byte>();
        using var document = JsonDocument.Parse(json.ToArray());
        using (var writer = new Utf8JsonWriter(line, s_line)) document.WriteTo(writer);
        return line.WrittenSpan.ToArray();
    }
}
