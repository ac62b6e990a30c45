using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Serialization.Json;

/// <summary>
/// Sends JSON by a source-generated context of System.Text.Json: what a contract names as <c>Serializer = typeof(JsonSerializer&lt;ShopJson&gt;)</c>. The
/// context lists every type that the contract sends with <see cref="JsonSerializableAttribute"/>; one that it lacks is told when the server starts and when the
/// proxy is made.
/// </summary>
/// <remarks>
/// <para>Options are the context's; nothing is ever indented. Objects and arrays may stand in one another 64 deep when they are read, and 63 deep when they are
/// written; a context with a <c>MaxDepth</c> above 64 is refused. JSON <c>null</c> is no message, and nothing may follow one. Keys of maps and sets that are
/// integers and were chosen to collide are refused.</para>
/// <para>Bytes that are no such message fail the call, and the error says where, as System.Text.Json does: path, line and byte. What converters and properties
/// of a message throw is kept from the peer. Safe for concurrent use: the context is asked for once and shared by all calls.</para>
/// </remarks>
/// <typeparam name="TContext">The context.</typeparam>
[PayloadFormat("json")]
public sealed class JsonSerializer<TContext> : IPayloadSerializer
    where TContext : JsonSerializerContext, IJsonContext<TContext>
{
    private JsonSerializer()
    {
    }

    /// <inheritdoc/>
    public static void Write<T>(ref MessageWriter writer, T value)
    {
        var type = JsonTypes<TContext>.Of<T>();
        var buffer = PayloadBuffer.Rent();
        var json = JsonTypes<TContext>.RentWriter(buffer);
        try
        {
            JsonSerializer.Serialize(json, value, type);
            json.Flush();
            buffer.MoveTo(ref writer);
        }
        finally
        {
            JsonTypes<TContext>.Return(json);
            buffer.Return();
        }
    }

    /// <inheritdoc/>
    public static T Read<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>(ReadOnlySpan<byte> body)
    {
        var type = JsonTypes<TContext>.Of<T>();
        try
        {
            if (body.Length >= JsonKeyScan.LeastTooMuch) JsonKeyScan.Check(body, JsonTypes<TContext>.TablesOf<T>(), type.Options);
            return JsonSerializer.Deserialize(body, type)!;
        }
        catch (JsonException error)
        {
            throw new InvalidMessageException(error.Message, error);
        }
    }

    /// <inheritdoc/>
    public static void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>() => JsonTypes<TContext>.Of<T>();
}
