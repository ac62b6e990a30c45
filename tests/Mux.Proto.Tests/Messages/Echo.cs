using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Proto.Tests.Imported.Known;
using Mux.Proto.Tests.Imported.Modern;
using Mux.Proto.Tests.Imported.Old;
using Mux.Proto.Tests.Imported.Plain;
using Mux.Proto.Tests.Imported.Scalars;
using Mux.Proto.Tests.Theirs.Known;
using Mux.Proto.Tests.Theirs.Modern;
using Mux.Proto.Tests.Theirs.Old;
using Mux.Proto.Tests.Theirs.Plain;
using Mux.Proto.Tests.Theirs.Scalars;
using Mux.Proto.Tests.Theirs.Twin;
using Tests.Names;
using Xunit.Sdk;

namespace Mux.Proto.Tests.Messages;

/// <summary>A message as both compilers made it: the request of a method of the same name.</summary>
public sealed class Echo : IXunitSerializable
{
    private static readonly Dictionary<string, Echo> s_all = new[]
    {
        Of<IScalarsEcho>(ScalarsReflection.Descriptor), Of<IOldEcho>(OldReflection.Descriptor), Of<IModernEcho>(ModernReflection.Descriptor),
        Of<IPlainEcho>(PlainReflection.Descriptor), Of<IKnownEcho>(KnownReflection.Descriptor), Of<INames>(TwinReflection.Descriptor),
    }.SelectMany(static echoes => echoes).ToDictionary(static echo => echo.Name, StringComparer.Ordinal);

    private EchoCodec? _codec;
    private MessageDescriptor? _descriptor;

    [Obsolete("For xunit.")]
    public Echo()
    {
    }

    private Echo(string name, EchoCodec codec, MessageDescriptor descriptor)
    {
        Name = name;
        _codec = codec;
        _descriptor = descriptor;
    }

    public static TheoryData<Echo> All => [.. s_all.Values];

    /// <summary>Finds one by package and method.</summary>
    public static Echo Of(string name) => s_all[name];

    /// <summary>File and method.</summary>
    public string Name { get; private set; } = string.Empty;

    /// <summary>What Google's library knows of it.</summary>
    public MessageDescriptor Descriptor => _descriptor!;

    internal EchoCodec Codec => _codec!;

    public IMessage Parse(byte[] bytes) => Descriptor.Parser.ParseFrom(bytes);

    /// <summary>Reads by Mux, and writes again.</summary>
    public byte[] Rewrite(byte[] bytes) => Codec.Encode(Codec.Decode(bytes));

    public void Serialize(IXunitSerializationInfo info) => info.AddValue(nameof(Name), Name);

    public void Deserialize(IXunitSerializationInfo info)
    {
        Name = info.GetValue<string>(nameof(Name))!;
        (_codec, _descriptor) = (s_all[Name]._codec, s_all[Name]._descriptor);
    }

    public override string ToString() => Name;

    private static IEnumerable<Echo> Of<TContract>(FileDescriptor file)
        where TContract : class
    {
        var codecs = EchoCodecs.Of<TContract>();
        var methods = Assert.Single(file.Services).Methods;
        Assert.Equal(methods.Select(static method => method.Name).Order(), codecs.Keys.Order());
        return methods.Select(method => new Echo($"{file.Package}/{method.Name}", codecs[method.Name], method.InputType));
    }
}
