using Mux.Description.Exporting;
using Mux.Description.Proto.Descriptors;
using Mux.Description.Proto.Parsing;
using Mux.Description.Reading;

namespace Mux.Description;

/// <summary>Contracts as their description shows them: services, messages and enums of a protobuf <c>FileDescriptorSet</c>. Immutable.</summary>
public sealed class ContractSet
{
    private readonly byte[] _bytes;
    private readonly Dictionary<string, MessageType> _messages;
    private readonly Dictionary<string, EnumType> _enums;

    internal ContractSet(byte[] bytes, IReadOnlyList<ServiceType> services, Dictionary<string, MessageType> messages, Dictionary<string, EnumType> enums)
    {
        _bytes = bytes;
        _messages = messages;
        _enums = enums;
        Services = services;
    }

    /// <summary>Gets the services by name.</summary>
    public IReadOnlyList<ServiceType> Services { get; }

    /// <summary>Gets the messages, nested ones included.</summary>
    public IReadOnlyCollection<MessageType> Messages => _messages.Values;

    /// <summary>Gets the enums, nested ones included.</summary>
    public IReadOnlyCollection<EnumType> Enums => _enums.Values;

    /// <summary>
    /// Reads a <c>FileDescriptorSet</c>, such as protoc writes with <c>--descriptor_set_out</c> and <c>--include_imports</c>. The bytes may come from a peer: a
    /// set has at most 4 MiB, 10,000 types, 100,000 fields, values and methods, 100,000 lines of comments, and messages 64 deep in each other. Comments are
    /// there if protoc wrote the set with <c>--include_source_info</c>.
    /// </summary>
    /// <exception cref="InvalidDataException">The bytes are no such set, or exceed a limit. The message names the place and the allowed range.</exception>
    public static ContractSet Read(ReadOnlySpan<byte> fileDescriptorSet) => SetReader.Read(fileDescriptorSet);

    /// <summary>
    /// Reads a .proto file with those that it imports. Files of protobuf and of Mux are built in. The text may come from strangers: a file has at most 4 MiB
    /// characters, all have 64 MiB, and the limits of <see cref="Read"/> hold for what they declare.
    /// </summary>
    /// <param name="file">Name of the file, as others would import it.</param>
    /// <param name="readFile">Gets the text of a file by its name; null if there is none.</param>
    /// <exception cref="InvalidDataException">A file is missing or has mistakes. The message has a line for each, with file, line and column.</exception>
    public static ContractSet ReadProto(string file, Func<string, string?> readFile)
    {
        ArgumentException.ThrowIfNullOrEmpty(file);
        ArgumentNullException.ThrowIfNull(readFile);
        var faults = new List<ProtoFault>();
        if (ProtoLoader.Load(file, readFile, faults) is { } set) return SetReader.Read(DescriptorWriter.Write(set));
        throw new InvalidDataException(string.Join('\n', faults.Where(static fault => fault.Severity == ProtoFaultSeverity.Error)));
    }

    /// <summary>Gets the description of one contract of this program. Use <see cref="ContractSetBuilder"/> for several.</summary>
    /// <typeparam name="TContract">The contract interface.</typeparam>
    /// <exception cref="InvalidOperationException">The interface is not a contract, or its assembly was built without descriptions.</exception>
    public static ContractSet Of<TContract>()
        where TContract : class => new ContractSetBuilder().Add<TContract>().Build();

    /// <summary>Finds a service by its name on the wire; null if there is none.</summary>
    public ServiceType? FindService(string name) => Services.FirstOrDefault(service => service.Name == name);

    /// <summary>Finds a message by its full name, such as <c>hr.Employee</c>; null if there is none.</summary>
    public MessageType? FindMessage(string fullName) => _messages.GetValueOrDefault(fullName);

    /// <summary>Finds an enum by its full name; null if there is none.</summary>
    public EnumType? FindEnum(string fullName) => _enums.GetValueOrDefault(fullName);

    /// <summary>Gets the <c>FileDescriptorSet</c>, which protoc, buf and grpcurl read.</summary>
    public byte[] ToFileDescriptorSet() => [.. _bytes];

    /// <summary>
    /// Gets the text of all files, which compilers of protobuf make code of for any language: one for each package, those that it imports, and
    /// <c>mux/options.proto</c> if an option of it is used. Files of <c>google/protobuf</c> are not there, because every compiler has them. Equal sets give
    /// equal texts.
    /// </summary>
    /// <returns>Texts by path, such as <c>hr.proto</c>, with parts separated by <c>/</c>, none of them <c>..</c>.</returns>
    public IReadOnlyDictionary<string, string> ToProtoFiles() => ProtoFiles.Of(_bytes);
}
