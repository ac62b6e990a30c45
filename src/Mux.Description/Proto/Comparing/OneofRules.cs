namespace Mux.Description.Proto.Comparing;

/// <summary>
/// Rules for fields of which at most one is present. Fields that were present together may not become exclusive, nor exclusive fields present together.
/// </summary>
internal sealed class OneofRules(
    ContractComparison comparison, ProtoMessage recorded, ProtoMessage current, FieldNumbers recordedFields, FieldNumbers currentFields)
{
    public void Compare()
    {
        if (recorded.Oneofs.Count == 0 && current.Oneofs.Count == 0) return;
        foreach (var oneof in current.Oneofs)
        {
            var was = Others(current, oneof, recordedFields);
            if (was.Count > 1 && was.Exists(field => field.Oneof is null || field.Oneof != was[0].Oneof)) Report(was[0], "present together", "in one oneof");
            else if (was.Count > 0 && was[0].Oneof is null && CountOf(current, oneof) > 1) Report(was[0], "outside of a oneof", "in one");
        }

        foreach (var oneof in recorded.Oneofs)
        {
            var now = Others(recorded, oneof, currentFields);
            if (now.Count > 1 && now.Exists(field => field.Oneof is null || field.Oneof != now[0].Oneof))
                Report(recordedFields.Find(now[0].Number)!, "in one oneof", "present together");
            else if (now.Count > 0 && now[0].Oneof is null && CountOf(recorded, oneof) > 1)
                Report(recordedFields.Find(now[0].Number)!, "in a oneof", "outside of it");
        }
    }

    private static int CountOf(ProtoMessage message, ProtoOneof oneof) => message.Fields.Count(field => field.Oneof == oneof);

    // The fields of the other message with the numbers of a oneof's.
    private static List<ProtoField> Others(ProtoMessage message, ProtoOneof oneof, FieldNumbers fields) =>
        [.. message.Fields.Where(field => field.Oneof == oneof).Select(field => fields.Find(field.Number)).OfType<ProtoField>()];

    private void Report(ProtoField field, string was, string now) => comparison.Report(
        new ContractFinding(ContractRule.Presence, ContractComparison.NameOf(recorded, field), was, now, "add fields instead of moving them between oneofs")
        {
            RecordedType = recorded,
            RecordedPosition = field.Position,
            CurrentType = current,
            CurrentMember = currentFields.Find(field.Number),
        });
}
