namespace Mux.Description.Reading;

/// <summary>Reads a FileDescriptorSet: first all files, then the types that fields and methods name.</summary>
internal sealed class SetReader
{
    private readonly TypeTable _types = new();
    private readonly MessageReader _messages;
    private readonly ServiceReader _services;
    private readonly HashSet<string> _files = new(StringComparer.Ordinal);

    private SetReader()
    {
        _messages = new MessageReader(_types);
        _services = new ServiceReader(_types);
    }

    public static ContractSet Read(ReadOnlySpan<byte> bytes)
    {
        const string place = "the set of files";
        if (bytes.Length > DescriptionLimits.Bytes) DescriptionFault.Throw(place, $"has {bytes.Length} bytes; allowed are {DescriptionLimits.Bytes}");
        var reader = new SetReader();
        var set = new WireReader(bytes, place);
        while (set.Read())
        {
            if (set.Field == 1) reader.ReadFile(set.Content());
        }

        reader._messages.Resolve();
        var services = reader._services.Resolve();
        return new ContractSet(bytes.ToArray(), services, reader._types.Messages, reader._types.Enums);
    }

    // The name, package and syntax of a file may follow its types.
    private void ReadFile(ReadOnlySpan<byte> bytes)
    {
        string name = string.Empty, package = string.Empty, syntax = "proto2";
        var header = new WireReader(bytes, "a file");
        while (header.Read())
        {
            switch (header.Field)
            {
                case 1:
                    name = header.Text();
                    break;
                case 2:
                    package = header.Text();
                    break;
                case 12:
                    syntax = header.Text();
                    break;
            }
        }

        var place = $"the file {DescriptionFault.Quote(name)}";
        if (!_files.Add(name)) DescriptionFault.Throw(place, "is in the set twice");
        NameRules.CheckPackage(package, place);
        if (syntax is not ("proto2" or "proto3"))
            DescriptionFault.Throw(place, $"has the syntax {DescriptionFault.Quote(syntax)}; allowed are 'proto2' and 'proto3'");

        bool isProto3 = syntax == "proto3";
        var file = new WireReader(bytes, place);
        while (file.Read())
        {
            if (file.Field == 4) _messages.Read(file.Content(), package, isProto3, place, depth: 1);
            else if (file.Field == 5) _messages.ReadEnum(file.Content(), package, place);
            else if (file.Field == 6) _services.Read(file.Content(), package, place);
        }
    }
}
