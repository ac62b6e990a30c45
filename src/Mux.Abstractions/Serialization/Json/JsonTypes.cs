using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using System.Text.Json.Serialization;
using System.Text.Json.Serialization.Metadata;

namespace Mux.Serialization.Json;

/// <summary>Gets type information of one context for the types that contracts send.</summary>
internal static class JsonTypes<TContext>
    where TContext : JsonSerializerContext, IJsonContext<TContext>
{
    private static readonly TContext s_context = TContext.Default;

    // The serializer checks the depth itself if it uses metadata; code generated for the type leaves the check to the writer.
    private static readonly JsonWriterOptions s_writerOptions =
        new() { Encoder = s_context.Options.Encoder, MaxDepth = IPayloadSerializer.MaxDepth, SkipValidation = true };

    [ThreadStatic]
    private static Utf8JsonWriter? t_writer; // null while in use: a converter may make calls

    /// <summary>Gets a writer into this thread's buffer.</summary>
    public static Utf8JsonWriter RentWriter(PayloadBuffer buffer)
    {
        if (t_writer is not { } writer) return new Utf8JsonWriter(buffer, s_writerOptions);
        t_writer = null;
        writer.Reset(buffer);
        return writer;
    }

    /// <summary>Keeps a writer for the next message.</summary>
    public static void Return(Utf8JsonWriter writer) => t_writer = writer;

    /// <exception cref="NotSupportedException">The context does not know the type, or allows a greater depth than messages.</exception>
    public static JsonTypeInfo<T> Of<T>() => Cache<T>.Info ?? Find<T>();

    /// <summary>Gets the tables with integer keys in the type.</summary>
    public static IntegerTables TablesOf<T>() => Cache<T>.Tables ??= IntegerTables.In(Of<T>());

    private static JsonTypeInfo<T> Find<T>()
    {
        if (s_context.Options.MaxDepth > IPayloadSerializer.MaxDepth) throw TooDeep();
        if (s_context.GetTypeInfo(typeof(T)) is not JsonTypeInfo<T> info) throw Unknown(typeof(T));
        return Cache<T>.Info = info;
    }

    private static NotSupportedException TooDeep() =>
        new($"The MaxDepth of {typeof(TContext)} is {s_context.Options.MaxDepth}: expected at most {IPayloadSerializer.MaxDepth}.");

    private static NotSupportedException Unknown(Type type) => new($"{typeof(TContext)} does not know {type}: add it there with [JsonSerializable].");

    [SuppressMessage("Performance", "CA1812", Justification = "One static per type.")]
    private static class Cache<T>
    {
        public static JsonTypeInfo<T>? Info;
        public static IntegerTables? Tables;
    }
}
