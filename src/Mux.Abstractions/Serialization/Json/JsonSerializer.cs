using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;

namespace Mux.Serialization.Json;

/// <summary>
/// Sends JSON with a source-generated context of System.Text.Json. A contract names it as <c>Serializer = typeof(JsonSerializer&lt;ShopJson&gt;)</c>. The
/// context lists every type that the contract sends with <see cref="JsonSerializableAttribute"/>. A missing type is reported when the server starts and when
/// the proxy is created.
/// </summary>
/// <remarks>
/// <para>The options are those of the context, except that JSON is never indented. Objects and arrays may be nested 64 deep when they are read, and 63 deep
/// when they are written. A context with a <c>MaxDepth</c> above 64 is rejected.</para>
/// <para>JSON <c>null</c> is not a message, and nothing may follow a message. Integer keys of maps and sets that were chosen to collide are rejected.</para>
/// <para>Bytes that are not such a message fail the call. The error names the path, line and byte, as in System.Text.Json. The messages of exceptions that
/// converters and properties throw are not sent to the peer. Safe for concurrent use: the context is read once and shared by all calls.</para>
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
        catch (NotSupportedException error)
        {
            // Not its message, which may be that of a converter.
            throw new InvalidMessageException(
                $"System.Text.Json does not support a type in {typeof(T)}, such as an abstract class, an interface or a collection that it cannot create.",
                error);
        }
    }

    /// <inheritdoc/>
    public static void Prepare<[DynamicallyAccessedMembers(DynamicallyAccessedMemberTypes.PublicParameterlessConstructor)] T>() => JsonTypes<TContext>.Of<T>();
}
