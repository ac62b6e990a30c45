using Microsoft.CodeAnalysis.Diagnostics;
using Mux.Description.Proto.Comparing;
using Mux.Description.Proto.Parsing;

namespace Mux.Generators.Analysis;

/// <summary>Compares the contracts of a project with the files that record them. The files are read once for many edits of the code.</summary>
internal sealed class ContractCheck
{
    private readonly EquatableArray<ContractFile> _files;
    private readonly RecordedContracts? _recorded;
    private readonly EquatableArray<ContractFindingModel> _faults;

    /// <param name="files">Files of protobuf in the folder of contracts.</param>
    public ContractCheck(EquatableArray<ContractFile> files)
    {
        _files = files;
        if (files.Count == 0) return;
        var faults = new List<ProtoFault>();
        _recorded = RecordedContracts.Read([.. files.Select(static file => new RecordedFile(file.Name, file.Text))], faults);
        if (_recorded is null) _faults = new([.. faults.Where(static fault => fault.Severity == ProtoFaultSeverity.Error).Select(OfFault)]);
    }

    /// <summary>Gets a value indicating whether there is something to compare or to tell.</summary>
    public bool IsOn => _recorded is { Files.Count: > 0 } || _faults.Count > 0;

    /// <summary>Compares the files with the contracts of the code.</summary>
    /// <param name="code">The contracts.</param>
    /// <param name="settings">What the project says.</param>
    public ContractFindings Run(CodeContracts code, ContractSettings settings)
    {
        if (_recorded is not { Files.Count: > 0 } recorded) return new ContractFindings(_faults, EquatableArray<AddedValuesModel>.Empty);
        var comparison = ContractComparison.Of(recorded.Set, recorded.Services, code.ToFiles(), settings.Level);
        var added = comparison.AddedValues.GroupBy(static added => added.Type, static added => added.Value).Select(group => new AddedValuesModel(
            group.Key.FullName, new([.. group.SelectMany(value => code.PlacesOf(group.Key, value)).Where(static place => place.Member is not null)])));
        return new ContractFindings(new([.. comparison.Findings.Select(finding => Of(finding, settings, recorded, code))]), new([.. added]));
    }

    private ContractFindingModel OfFault(ProtoFault fault) => new(
        (int)ContractRule.Unreadable, new([fault.File, fault.Message]), default, PathOf(fault.File), fault.Position.Line, fault.Position.Column);

    private ContractFindingModel Of(ContractFinding finding, ContractSettings settings, RecordedContracts recorded, CodeContracts code)
    {
        var file = finding.RecordedType is { } type ? recorded.FileOf(type) : null;
        return new ContractFindingModel(
            (int)finding.Rule,
            new([finding.Element, finding.Change, finding.Advice]),
            new([.. code.PlacesOf(finding.CurrentType, finding.CurrentMember)]),
            PathOf(file?.Name),
            finding.RecordedPosition.Line,
            finding.RecordedPosition.Column,
            finding.IsRaised || (settings.IsIntegration && finding.Rule == ContractRule.Behind));
    }

    private string? PathOf(string? name) => _files.FirstOrDefault(file => file.Name == name)?.Path;
}

/// <summary>What a project says about the check of its contracts.</summary>
/// <param name="IsOn">False where the contracts are built only to be recorded.</param>
/// <param name="Level">What a change may not break.</param>
/// <param name="IsIntegration">True where the build is the last one before others get the contracts: they must be recorded by then.</param>
internal sealed record ContractSettings(bool IsOn, ContractLevel Level, bool IsIntegration)
{
    private const string Check = "build_property.MuxContractCheck";
    private const string LevelName = "build_property.MuxContractLevel";
    private const string Integration = "build_property.ContinuousIntegrationBuild";

    public static ContractSettings Read(AnalyzerConfigOptions options) => new(
        !Is(options, Check, "false"), Is(options, LevelName, "json") ? ContractLevel.Json : ContractLevel.Wire, Is(options, Integration, "true"));

    private static bool Is(AnalyzerConfigOptions options, string property, string expected) =>
        options.TryGetValue(property, out var value) && string.Equals(value, expected, StringComparison.OrdinalIgnoreCase);
}
