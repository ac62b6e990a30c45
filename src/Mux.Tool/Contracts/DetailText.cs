using System.Text;
using Mux.Contracts;
using Mux.Description;

namespace Mux.Tool.Contracts;

/// <summary>Shows the details of failures.</summary>
/// <param name="types">The messages by number; null where one is in another format.</param>
/// <param name="set">The description, which has the messages that others may hold.</param>
/// <param name="writesDefaults">True to write fields without presence also where they are zero or empty.</param>
internal sealed class DetailText(IReadOnlyDictionary<int, MessageType?> types, ContractSet set, bool writesDefaults)
{
    /// <returns>The message and its JSON, or its number and length if the description does not have it.</returns>
    public string Of(RawDetail detail)
    {
        if (types.GetValueOrDefault(detail.Number) is not { } type)
            return $"number {detail.Number}, {detail.Body.Length} bytes";
        try
        {
            return $"{type.FullName} {Encoding.UTF8.GetString(new MessageText(type, "protobuf", set, writesDefaults).Write(detail.Body.Span))}";
        }
        catch (Exception error) when (error is InvalidDataException or ToolException)
        {
            return $"number {detail.Number}, {detail.Body.Length} bytes, not shown: {error.Message}";
        }
    }
}
