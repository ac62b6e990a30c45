using System.Buffers;
using System.ComponentModel;
using System.Reflection;
using System.Runtime.CompilerServices;

namespace Mux.Serialization;

/// <summary>
/// Represents the protobuf codec that the generator emits, which contracts use unless they name another serializer. Name it at
/// a method whose service names another serializer: <c>[MuxMethod(Serializer = typeof(GeneratedCodec))]</c>. Its methods read
/// and write messages without a call, such as stored ones: those of <c>.proto</c> files whose item has <c>Codecs="All"</c>.
/// </summary>
public static class GeneratedCodec
{
    /// <summary>Reads a message, as a call does.</summary>
    /// <typeparam name="T">The class of the message.</typeparam>
    /// <param name="bytes">The whole message.</param>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    /// <exception cref="InvalidOperationException">The message has no codec without a contract.</exception>
    public static T Read<T>(ReadOnlySpan<byte> bytes)
        where T : class => CodecOf<T>().Decode(bytes);

    /// <summary>Writes a message, as a call does.</summary>
    /// <typeparam name="T">The class of the message.</typeparam>
    /// <param name="message">The message.</param>
    /// <returns>The whole message, without its length.</returns>
    /// <exception cref="InvalidOperationException">The message has no codec without a contract.</exception>
    public static byte[] ToBytes<T>(T message)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(message);
        var codec = CodecOf<T>();
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            codec.Encode(ref writer, message);
            return writer.Written.ToArray();
        }
        finally
        {
            buffer.Return();
        }
    }

    /// <inheritdoc cref="ToBytes{T}"/>
    /// <param name="message">The message.</param>
    /// <param name="target">Gets the whole message, without its length. Gets nothing if the message cannot be written.</param>
    public static void Write<T>(T message, IBufferWriter<byte> target)
        where T : class
    {
        ArgumentNullException.ThrowIfNull(message);
        ArgumentNullException.ThrowIfNull(target);
        var codec = CodecOf<T>();
        var buffer = MessageBuffer.Rent();
        try
        {
            var writer = buffer.CreateWriter();
            codec.Encode(ref writer, message);
            target.Write(writer.Written);
        }
        finally
        {
            buffer.Return();
        }
    }

    private static GeneratedCodec<T> CodecOf<T>()
        where T : class
    {
        if (GeneratedCodec<T>.Registered is { } known) return known;

        // A module initializer runs when code of the module is first used; naming a type does not count.
        RuntimeHelpers.RunModuleConstructor(typeof(T).Module.ModuleHandle);
        if (GeneratedCodec<T>.Registered is null) RunOthers();
        return GeneratedCodec<T>.Registered ?? throw new InvalidOperationException(
            $"{typeof(T)} has no codec without a contract: set Codecs=\"All\" at the item MuxProto of its .proto file, in the project "
            + $"of '{typeof(T).Assembly.GetName().Name}' or in yours. If a third project sets it, use one of its types first, which "
            + "loads its codecs. Messages that are declared in C# have codecs in contracts alone.");
    }

    // Projects that import a file again have codecs for the classes that a project below them has made of it.
    private static void RunOthers()
    {
        foreach (var assembly in AppDomain.CurrentDomain.GetAssemblies())
        {
            if (HasCodecs(assembly)) RuntimeHelpers.RunModuleConstructor(assembly.ManifestModule.ModuleHandle);
        }
    }

    // An assembly may have attributes whose types are missing.
    private static bool HasCodecs(Assembly assembly)
    {
        try
        {
            return !assembly.IsDynamic && assembly.IsDefined(typeof(GeneratedCodecsAttribute), inherit: false);
        }
        catch (Exception error) when (error is not OutOfMemoryException)
        {
            return false;
        }
    }
}

/// <summary>Writes and reads messages of one type, as the generator emits it. Stateless; may be used concurrently.</summary>
/// <typeparam name="T">The class of the message.</typeparam>
[EditorBrowsable(EditorBrowsableState.Never)]
public abstract class GeneratedCodec<T>
    where T : class
{
    internal static GeneratedCodec<T>? Registered { get; private set; }

    /// <summary>Writes a message.</summary>
    public abstract void Encode(ref MessageWriter writer, T message);

    /// <summary>Reads a message. Copies what it keeps.</summary>
    /// <exception cref="InvalidMessageException">The bytes are not such a message.</exception>
    public abstract T Decode(ReadOnlySpan<byte> bytes);

    /// <summary>
    /// Registers a codec. Called by the generated module initializer of an assembly, which has a
    /// <see cref="GeneratedCodecsAttribute"/> if the class is not its own.
    /// </summary>
    public static void Register(GeneratedCodec<T> codec) => Registered = codec;
}
