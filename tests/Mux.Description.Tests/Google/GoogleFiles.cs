using Google.Protobuf;
using Google.Protobuf.Reflection;
using Mux.Description.Options;

namespace Mux.Description.Tests.Google;

/// <summary>A description as Google's library reads it.</summary>
internal sealed class GoogleFiles
{
    private GoogleFiles(FileDescriptorSet set, IReadOnlyList<FileDescriptor> files)
    {
        Set = set;
        Files = files;
    }

    public FileDescriptorSet Set { get; }

    public IReadOnlyList<FileDescriptor> Files { get; }

    public static GoogleFiles Of(ContractSet set)
    {
        var registry = new ExtensionRegistry { OptionsExtensions.Service, OptionsExtensions.Method };
        var parsed = new MessageParser<FileDescriptorSet>(static () => new FileDescriptorSet()).WithExtensionRegistry(registry).ParseFrom(set.ToFileDescriptorSet());
        return new GoogleFiles(parsed, FileDescriptor.BuildFromByteStrings(parsed.File.Select(static file => file.ToByteString()), registry));
    }

    public ServiceDescriptor Service(string fullName) => Files.SelectMany(static file => file.Services).Single(service => service.FullName == fullName);

    public MessageDescriptor Message(string fullName) => Files.SelectMany(static file => file.MessageTypes).Single(message => message.FullName == fullName);
}
