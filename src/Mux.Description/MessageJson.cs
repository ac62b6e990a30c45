using System.Buffers;
using System.Text.Json;
using Mux.Description.Json;

namespace Mux.Description;

/// <summary>
/// Turns messages of one type into JSON and back, in protobuf's own mapping (proto3 JSON). Safe for concurrent use; a call allocates nothing once its buffers
/// have grown.
/// </summary>
/// <remarks>
/// <para>Dates, time spans, Guids and decimals of protobuf-net (<c>bcl.proto</c>) are texts, as .NET's invariant culture writes them: a date in the form "O", a
/// time span in the form "c". A local date is written without its offset.</para>
/// <para>Messages may be 64 deep. Fields that the type does not have are left out of JSON.</para>
/// </remarks>
public sealed class MessageJson
{
    private readonly JsonType _type;
    private readonly MessageJsonOptions _options;
    private readonly Spares<MessageFormatter> _formatters = new();
    private readonly Spares<MessageParser> _parsers = new();

    /// <param name="type">The messages to write and read.</param>
    /// <param name="options">How to write and read; null for <see cref="MessageJsonOptions.Default"/>.</param>
    public MessageJson(MessageType type, MessageJsonOptions? options = null)
    {
        ArgumentNullException.ThrowIfNull(type);
        Type = type;
        _type = type.Json;
        _options = options ?? MessageJsonOptions.Default;
    }

    /// <summary>Gets the messages that are written and read.</summary>
    public MessageType Type { get; }

    /// <summary>Writes a message as JSON.</summary>
    /// <param name="message">The message in protobuf.</param>
    /// <param name="json">Receives the JSON. What it received before an exception is incomplete.</param>
    /// <exception cref="InvalidDataException">
    /// The bytes are no such message, or a limit is exceeded. The text names the path, such as <c>$.items[3].id</c>, and what is allowed.
    /// </exception>
    public void Write(ReadOnlySpan<byte> message, IBufferWriter<byte> json)
    {
        ArgumentNullException.ThrowIfNull(json);
        var formatter = _formatters.Take() ?? new MessageFormatter(_options);
        try
        {
            formatter.Format(_type, message, json);
        }
        catch (JsonFault fault)
        {
            throw new InvalidDataException($"The message cannot be written as JSON: {formatter.Path} {fault.Message}.", fault);
        }
        finally
        {
            formatter.Clear();
        }

        _formatters.Return(formatter);
    }

    /// <summary>Reads a message from JSON.</summary>
    /// <param name="json">The JSON, in UTF-8.</param>
    /// <param name="message">Receives the message in protobuf. It receives nothing if an exception is thrown.</param>
    /// <exception cref="InvalidDataException">
    /// The text is no JSON or no such message, or a limit is exceeded. The text names the path, such as <c>$.items[3].id</c>, and what is allowed.
    /// </exception>
    public void Read(ReadOnlySpan<byte> json, IBufferWriter<byte> message)
    {
        ArgumentNullException.ThrowIfNull(message);
        var parser = _parsers.Take() ?? new MessageParser(_options);
        try
        {
            parser.Parse(_type, json, message);
        }
        catch (JsonFault fault)
        {
            var end = fault.Message.EndsWith('?') ? "" : ".";
            throw new InvalidDataException($"The JSON cannot be read: {parser.Path.ToString(json)} {fault.Message}{end}", fault);
        }
        catch (JsonException fault)
        {
            var place = $"in line {fault.LineNumber + 1}, byte {fault.BytePositionInLine + 1}";
            var problem = MessageParser.IsTooDeep(json)
                ? $"has JSON that is more than {MessageParser.MaxJsonDepth} deep {place}"
                : $"is followed by bad JSON {place}";
            throw new InvalidDataException($"The JSON cannot be read: {parser.Path.ToString(json)} {problem}.", fault);
        }

        _parsers.Return(parser);
    }
}
