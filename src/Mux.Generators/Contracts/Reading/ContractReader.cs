using Microsoft.CodeAnalysis;
using Mux.Generators.Contracts.Models;
using Mux.Generators.Describing;
using Mux.Generators.Diagnostics;
using Mux.Generators.Messages.Models;
using Mux.Generators.Messages.Reading;
using Mux.Generators.Symbols;

namespace Mux.Generators.Contracts.Reading;

/// <summary>Converts a contract interface and the messages it reaches to models, or to diagnostics.</summary>
internal sealed class ContractReader
{
    private readonly INamedTypeSymbol _contract;
    private readonly Findings _findings;
    private readonly MessageCatalog _messages;
    private readonly Compilation _compilation;

    private ContractReader(INamedTypeSymbol contract, Compilation compilation)
    {
        _contract = contract;
        _compilation = compilation;
        _findings = new Findings(compilation.Assembly);
        _messages = new MessageCatalog(compilation, _findings);
    }

    /// <summary>Reads a contract of this compilation.</summary>
    public static ContractModel Read(INamedTypeSymbol contract, Compilation compilation, CancellationToken cancellationToken) =>
        Read(contract, compilation, files: null, cancellationToken);

    /// <summary>Reads a contract of this compilation.</summary>
    /// <param name="contract">The interface.</param>
    /// <param name="compilation">The compilation.</param>
    /// <param name="files">Gets the files that it is read from.</param>
    /// <param name="cancellationToken">Ends the reading.</param>
    public static ContractModel Read(
        INamedTypeSymbol contract, Compilation compilation, ReadFiles? files, CancellationToken cancellationToken)
    {
        if (!compilation.HasContracts()) return new ContractModel(null, EquatableArray<MessageModel>.Empty, EquatableArray<DiagnosticModel>.Empty);
        var reader = new ContractReader(contract, compilation);
        var model = reader.Read(cancellationToken) with { Name = contract.ToFullName() };
        if (files is null) return model;
        files.Add(contract);
        foreach (var type in reader._messages.ReachedTypes) files.Add(type);
        return model;
    }

    private ContractModel Read(CancellationToken cancellationToken)
    {
        var attribute = _contract.FindAttribute(WellKnownNames.MuxService)!;
        var name = attribute.Argument("name") as string ?? string.Empty;
        if (!WireName.IsValid(name)) _findings.Report(MuxDiagnostics.ServiceName, _contract, name, _contract.ToDisplay());
        CheckShape();

        var reader = new MethodReader(_contract, attribute, _messages, _findings, _compilation);
        var methods = new List<MethodModel>();
        foreach (var method in new ContractMembers(_contract, _compilation, _findings).ReadMethods())
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (reader.Read(method) is { } model) methods.Add(model);
        }

        if (methods.Count == 0) reader.CheckService();
        var messages = _messages.ReadAll(cancellationToken);
        var diagnostics = _findings.ToArray();
        if (_findings.HasErrors) return new ContractModel(null, EquatableArray<MessageModel>.Empty, diagnostics);

        var fingerprints = new ShapeFingerprints(messages);
        var service = new ServiceModel(
            _contract.ToIdentity(),
            _contract.ToDisplay(),
            _contract.ToIdentifier() + "_Service",
            name,
            new EquatableArray<MethodModel>([.. methods.Select(fingerprints.AddTo)]))
        {
            Imported = ImportedName.Of(_contract) is { IsImported: true } imported ? imported : null,
            Batch = methods.Exists(static method => method.Batched > 0) ? BatchOf(_contract) : null,
        };
        return new ContractModel(service, messages, diagnostics);
    }

    private static BatchModel BatchOf(INamedTypeSymbol contract) =>
        new(contract.ContainingNamespace.ToDisplayString(), contract.Name + "Batch", contract.DeclaredAccessibility == Accessibility.Public,
            contract.HasAttribute(WellKnownNames.Obsolete));

    private void CheckShape()
    {
        var display = _contract.ToDisplay();
        if (_contract.IsGenericType) _findings.Report(MuxDiagnostics.GenericContract, _contract, display);
        else if (!_compilation.IsReachable(_contract)) _findings.Report(MuxDiagnostics.HiddenContract, _contract, display);
    }
}
