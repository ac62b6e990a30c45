using System.Globalization;
using Microsoft.CodeAnalysis;
using Mux.Description.Proto;
using Mux.Generators.Diagnostics;
using Mux.Generators.Importing.Naming;
using Mux.Generators.Messages.Models;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Importing;

/// <summary>The codecs of files with <c>Codecs="All"</c>, whether or not a contract reaches their messages.</summary>
/// <param name="Messages">The messages of the files, and those that they reach.</param>
/// <param name="Registered">Those that a program may read and write without a call: all of the files themselves.</param>
internal sealed record ImportedCodecs(EquatableArray<MessageModel> Messages, EquatableArray<RegisteredCodec> Registered)
{
    /// <summary>Gets the codecs of a project without such files.</summary>
    public static ImportedCodecs None { get; } = new(default, default);

    /// <param name="set">The files.</param>
    /// <param name="files">Those of the project.</param>
    /// <param name="names">C# names.</param>
    /// <param name="compilation">A compilation of the types alone.</param>
    /// <param name="faults">Gets messages that cannot have a codec.</param>
    /// <param name="cancellationToken">Cancels the work.</param>
    public static ImportedCodecs Read(
        ProtoSet set, ImportFiles files, CSharpNames names, Compilation compilation, List<ImportFault> faults,
        CancellationToken cancellationToken)
    {
        var messages = new List<MessageModel>();
        var registered = new List<RegisteredCodec>();
        foreach (var file in set.Files)
        {
            if (files.Find(file.Name) is not { HasAllCodecs: true } input) continue;
            var findings = new Findings(compilation.Assembly);
            var catalog = new MessageCatalog(compilation, findings);
            foreach (var message in file.Messages.SelectMany(Around))
            {
                // A value of the framework has no class. A referenced project may have made the class.
                var name = names.MetadataNameOf(message.FullName);
                var own = TypeFinder.Find(compilation.Assembly.GetTypeByMetadataName, name);
                var type = own ?? TypeFinder.Find(ReferencedOf, name);
                if (type is not null && catalog.ReadValue(type, type)?.Value is NestedModel nested)
                    registered.Add(new RegisteredCodec(type.ToCode(), nested.Codec, IsOwn: own is not null));
            }

            messages.AddRange(catalog.ReadAll(cancellationToken));
            faults.AddRange(findings.ToArray().Where(static found => found.Descriptor.DefaultSeverity == DiagnosticSeverity.Error)
                .Select(error => FaultOf(file, input, error.ToDiagnostic(compilation))));
        }

        return new ImportedCodecs(Distinct(messages), new([.. registered]));

        INamedTypeSymbol? ReferencedOf(string name) =>
            compilation.GetTypesByMetadataName(name).FirstOrDefault(compilation.IsReachable);
    }

    private static EquatableArray<MessageModel> Distinct(IEnumerable<MessageModel> messages) => new([.. messages
        .GroupBy(static message => message.Codec, StringComparer.Ordinal).Select(static group => group.First())]);

    // An entry of a map is no class, or one that the message around it reaches.
    private static IEnumerable<ProtoMessage> Around(ProtoMessage message) =>
        message.IsMapEntry ? [] : message.Messages.SelectMany(Around).Prepend(message);

    private static ImportFault FaultOf(ProtoFile file, ImportInput input, Diagnostic error) => new(
        ImportDiagnostics.Unreadable, input.Path, 0, 0,
        new([file.Name, $"{error.Id}: {error.GetMessage(CultureInfo.InvariantCulture)}"]));
}

/// <summary>A codec that a program may use without a call.</summary>
/// <param name="TypeName">The C# class of the message, fully qualified.</param>
/// <param name="Codec">Name of the class that reads and writes it.</param>
/// <param name="IsOwn">False if the class is one of another assembly.</param>
internal sealed record RegisteredCodec(string TypeName, string Codec, bool IsOwn);
