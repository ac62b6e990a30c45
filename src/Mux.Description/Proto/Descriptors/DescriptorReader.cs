using Mux.Description.Reading;

namespace Mux.Description.Proto.Descriptors;

/// <summary>
/// Reads a FileDescriptorSet, which may come from a peer: first all files, then the types that fields and methods name.
/// </summary>
internal sealed class DescriptorReader
{
    private const string Place = "the set of files";
    private const int Edition2023 = 1000;

    private readonly ProtoSet _set = new();
    private readonly HashSet<string> _files = new(StringComparer.Ordinal);
    private readonly MessageReader _messages;
    private readonly ServiceReader _services;
    private readonly CommentReader _comments;
    private readonly ForeignOptions _foreign;

    private DescriptorReader(ForeignOptions foreign)
    {
        _foreign = foreign;
        var names = new NameTable(_set);
        _messages = new MessageReader(_set, names);
        _services = new ServiceReader(names);
        _comments = new CommentReader(_messages.OneofsOf);
    }

    /// <exception cref="InvalidDataException">The bytes are no such set, or exceed a limit. The message names the place and the allowed range.</exception>
    public static ProtoSet Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length > DescriptionLimits.Bytes) DescriptionFault.Throw(Place, $"has {bytes.Length} bytes; allowed are {DescriptionLimits.Bytes}");
        var reader = new DescriptorReader(ForeignOptions.Read(bytes, Place));
        var set = new WireReader(bytes, Place);
        while (set.Read())
        {
            if (set.Field == 1) reader.ReadFile(set.Content());
        }

        reader._messages.Resolve();
        reader._services.Resolve();
        FileOrder.Sort(reader._set.Files);
        return reader._set;
    }

    // The name, package and syntax of a file may follow its types.
    private void ReadFile(ReadOnlySpan<byte> bytes)
    {
        var file = new ProtoFile();
        var imports = new List<string>();
        var publics = new HashSet<int>();
        string syntax = "proto2";
        int edition = 0;
        var header = new WireReader(bytes, "a file");
        while (header.Read())
        {
            switch (header.Field)
            {
                case 1: file.Name = header.Text(); break;
                case 2: file.Package = header.Text(); break;
                case 3: imports.Add(header.Text()); break;
                case 10: publics.Add(header.Int32()); break;
                case 12: syntax = header.Text(); break;
                case 14: edition = header.Int32(); break;
            }
        }

        var place = $"the file {DescriptionFault.Quote(file.Name)}";
        NameRules.CheckPath(file.Name, place);
        if (!_files.Add(file.Name)) DescriptionFault.Throw(place, "is in the set twice");
        if (_files.Count > DescriptionLimits.Files) DescriptionFault.Throw(Place, $"has more than {DescriptionLimits.Files} files");
        NameRules.CheckPackage(file.Package, place);
        file.Syntax = SyntaxOf(syntax, edition, place);
        var imported = new HashSet<string>(StringComparer.Ordinal);
        for (int i = 0; i < imports.Count; i++)
        {
            file.Imports.Add(new ProtoImport(NameRules.CheckPath(imports[i], place), publics.Contains(i), default));
            if (!imported.Add(imports[i])) DescriptionFault.Throw(place, $"imports {DescriptionFault.Quote(imports[i])} twice");
        }

        ReadContent(bytes, file, ReadOptions(bytes, file, place), place);
        ReadComments(bytes, file, place);
        _set.Files.Add(file);
    }

    private void ReadComments(ReadOnlySpan<byte> bytes, ProtoFile file, string place)
    {
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field == DescriptorWriter.CommentsField) _comments.Read(reader.Content(), file, place);
        }
    }

    private static ProtoSyntax SyntaxOf(string syntax, int edition, string place)
    {
        switch (syntax)
        {
            case "proto2": return ProtoSyntax.Proto2;
            case "proto3": return ProtoSyntax.Proto3;
            case "editions":
                if (edition != Edition2023) DescriptionFault.Throw(place, $"has the edition {edition}; allowed is {Edition2023}, which is 2023");
                return ProtoSyntax.Edition2023;
            default:
                DescriptionFault.Throw(place, $"has the syntax {DescriptionFault.Quote(syntax)}; allowed are 'proto2', 'proto3' and 'editions'");
                return default;
        }
    }

    private static FeatureSet ReadOptions(ReadOnlySpan<byte> bytes, ProtoFile file, string place)
    {
        var features = FeatureSet.Of(file.Syntax);
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            if (reader.Field != 8) continue;
            var options = new WireReader(reader.Content(), place);
            while (options.Read())
            {
                if (options.Field == 37) file.CSharpNamespace = options.Text();
                else if (options.Field == FeatureSet.OfFile) features = features.With(options.Content(), place);
            }
        }

        return features;
    }

    private void ReadContent(ReadOnlySpan<byte> bytes, ProtoFile file, FeatureSet features, string place)
    {
        var around = new Surroundings(file.Syntax, features, place, _foreign.AreOwn(file.Name));
        var reader = new WireReader(bytes, place);
        while (reader.Read())
        {
            switch (reader.Field)
            {
                case 4: file.Messages.Add(_messages.Read(reader.Content(), file.Package, around, depth: 1)); break;
                case 5: file.Enums.Add(_messages.ReadEnum(reader.Content(), file.Package, features, place)); break;
                case 6: file.Services.Add(_services.Read(reader.Content(), file.Package, around)); break;
            }
        }
    }
}
