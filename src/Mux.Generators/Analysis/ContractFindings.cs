namespace Mux.Generators.Analysis;

/// <summary>What the check of contracts found.</summary>
/// <param name="Changes">Changes that other programs notice.</param>
/// <param name="Added">Values of enums that a switch of this project may not expect.</param>
internal sealed record ContractFindings(EquatableArray<ContractFindingModel> Changes, EquatableArray<AddedValuesModel> Added)
{
    public static readonly ContractFindings None = new(EquatableArray<ContractFindingModel>.Empty, EquatableArray<AddedValuesModel>.Empty);
}
