using System.Buffers;
using System.Text;
using Google.Protobuf;
using Google.Protobuf.Reflection;

namespace Mux.Description.Tests.Json;

/// <summary>The messages of the comparison, as Google's library and as this one have them.</summary>
internal static class JsonScene
{
    public static TypeRegistry Registry { get; } = TypeRegistry.FromFiles(EverythingReflection.Descriptor);

    public static ContractSet Set { get; } = ReadSet();

    public static MessageJson Everything { get; } = Of("test.json.Everything", new MessageJsonOptions { AnyTypes = Set });

    public static MessageJson Of(string message, MessageJsonOptions? options = null) => new(Set.FindMessage(message)!, options);

    public static string Write(this MessageJson json, ReadOnlySpan<byte> message)
    {
        var text = new ArrayBufferWriter<byte>();
        json.Write(message, text);
        return Encoding.UTF8.GetString(text.WrittenSpan);
    }

    public static byte[] Read(this MessageJson json, string text)
    {
        var message = new ArrayBufferWriter<byte>();
        json.Read(Encoding.UTF8.GetBytes(text), message);
        return message.WrittenSpan.ToArray();
    }

    private static ContractSet ReadSet()
    {
        var files = new Dictionary<string, FileDescriptor>(StringComparer.Ordinal);
        Add(EverythingReflection.Descriptor);
        Add(OlderReflection.Descriptor);
        var set = new FileDescriptorSet { File = { files.Values.Select(static file => FileDescriptorProto.Parser.ParseFrom(file.SerializedData)) } };
        return ContractSet.Read(set.ToByteArray());

        void Add(FileDescriptor file)
        {
            foreach (var dependency in file.Dependencies) Add(dependency);
            files.TryAdd(file.Name, file);
        }
    }
}
