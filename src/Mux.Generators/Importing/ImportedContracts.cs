using System.Globalization;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Mux.Description.Proto;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Contracts.Reading;
using Mux.Generators.Diagnostics;
using Mux.Generators.Importing.Naming;

namespace Mux.Generators.Importing;

/// <summary>Reads the interfaces that were made of services, as contracts.</summary>
internal static class ImportedContracts
{
    /// <param name="set">The files.</param>
    /// <param name="files">Those of the project: only their services are contracts of it.</param>
    /// <param name="names">C# names.</param>
    /// <param name="compilation">A compilation of the types alone.</param>
    /// <param name="faults">Gets services that cannot be contracts.</param>
    /// <param name="cancellationToken">Cancels the work.</param>
    public static List<ContractModel> Read(
        ProtoSet set, ImportFiles files, CSharpNames names, Compilation compilation, List<ImportFault> faults, CancellationToken cancellationToken)
    {
        var contracts = new List<ContractModel>();
        var code = new ContractCode(compilation, []);
        foreach (var file in set.Files)
        {
            if (files.Find(file.Name) is not { } input) continue;
            foreach (var service in file.Services.Where(static service => !service.IsCallback))
            {
                // A referenced project may have made it.
                if (compilation.Assembly.GetTypeByMetadataName(names.MetadataNameOf(service.FullName)) is not { } type) continue;
                var declaration = (InterfaceDeclarationSyntax)type.DeclaringSyntaxReferences[0].GetSyntax(cancellationToken);
                if (ContractCache.Read(declaration, code, cancellationToken) is not { } contract) continue;
                if (contract.Service is not null) contracts.Add(contract with { Diagnostics = EquatableArray<DiagnosticModel>.Empty });
                faults.AddRange(contract.Diagnostics.Where(static found => found.Descriptor.DefaultSeverity == DiagnosticSeverity.Error)
                    .Select(error => FaultOf(service, input, error.ToDiagnostic(compilation))));
            }
        }

        return contracts;
    }

    private static ImportFault FaultOf(ProtoService service, ImportInput input, Diagnostic error) => new(
        ImportDiagnostics.Service, input.Path, service.Position.Line, service.Position.Column,
        new([service.FullName, $"{error.Id}: {error.GetMessage(CultureInfo.InvariantCulture)}"]));
}
