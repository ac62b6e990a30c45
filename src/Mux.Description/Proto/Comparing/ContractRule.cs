namespace Mux.Description.Proto.Comparing;

/// <summary>Rules for changes of a contract, with the numbers of their diagnostics.</summary>
internal enum ContractRule
{
    Gone = 70,
    Shape = 71,
    Body = 72,
    FieldGone = 73,
    FieldReplaced = 74,
    WireType = 75,
    Values = 76,
    Cardinality = 77,
    Presence = 78,
    EnumValue = 79,
    Include = 80,
    Detail = 81,
    Format = 82,
    Promise = 83,
    Access = 84,
    JsonName = 85,
    Behind = 86,
    Unreadable = 87,
}
