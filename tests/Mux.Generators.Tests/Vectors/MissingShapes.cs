namespace Mux.Generators.Tests.Vectors;

/// <summary>
/// The types of the vectors that are refused for now, each with the diagnostic and the word in it that say why. When a shape is taken,
/// its rows go and its vectors run.
/// </summary>
internal static class MissingShapes
{
    public static IReadOnlyDictionary<string, (string Id, string Says)> ByType { get; } = new Dictionary<string, (string, string)>
    {
        // dates, times, Guid, decimal
        ["SurveyAnswer"] = ("MUX0014", "SurveyAnswer.AnsweredAt"),
        ["Ticket"] = ("MUX0014", "Ticket.Compact"),
        ["CalendarEvent"] = ("MUX0014", "CalendarEvent.Lasts"),
        ["Invoice"] = ("MUX0014", "Invoice.Net"),
        ["LegacyRecord"] = ("MUX0014", "LegacyRecord.Amount"),
        ["LegacyFormats"] = ("MUX0014", "LegacyFormats.When"),
        ["MiddleRecord"] = ("MUX0014", "MiddleRecord.When"),
        ["ShiftPlan"] = ("MUX0014", "ShiftPlan.Day"),
        ["AuditEntry"] = ("MUX0014", "AuditEntry.At"),
        ["Region"] = ("MUX0014", "Region.Area"),
        ["RegionList"] = ("MUX0014", "Region.Area"),
        ["DateTime"] = ("MUX0014", "dates"),
        ["TimeSpan"] = ("MUX0014", "dates"),
        ["decimal"] = ("MUX0014", "decimal"),
        ["Guid"] = ("MUX0014", "Guid"),
        ["List<Guid>"] = ("MUX0014", "Guid"),

        // maps
        ["WordCount"] = ("MUX0014", "WordCount.Words"),
        ["RateTable"] = ("MUX0014", "RateTable.Signed"),
        ["Dictionary<string, int>"] = ("MUX0014", "maps"),
        ["Dictionary<int, RootItem>"] = ("MUX0014", "maps"),

        // collections other than List<T> and arrays
        ["OddCollections"] = ("MUX0014", "OddCollections.Undo"),
        ["ImmutableBag"] = ("MUX0014", "ImmutableBag.Names"),
        ["Order"] = ("MUX0014", "Order.Refunds"),

        // tuples, by name or by shape
        ["PriceTag"] = ("MUX0013", "PriceTag.Price"),
        ["ValueTuple<Guid, decimal>"] = ("MUX0014", "tuples"),

        // inheritance
        ["Vehicle"] = ("MUX0021", "ProtoInclude"),
        ["Car"] = ("MUX0021", "ProtoInclude"),
        ["Garage"] = ("MUX0021", "Vehicle"),
        ["Shape"] = ("MUX0021", "ProtoInclude"),
        ["Drawing"] = ("MUX0021", "Shape"),

        // unknown fields that are kept
        ["SettingsKeep"] = ("MUX0024", "SettingsKeep"),

        // callbacks, surrogates, conditions
        ["Thermostat"] = ("MUX0022", "BeforeWrite"),
        ["Oven"] = ("MUX0020", "ProtoContract.Surrogate"),
        ["Payment"] = ("MUX0023", "ShouldSerializeIban"),

        // lists that are overwritten, fields numbered elsewhere than at the member
        ["Preloaded"] = ("MUX0020", "ProtoMember.OverwriteList"),
        ["ImplicitConfig"] = ("MUX0020", "ProtoContract.ImplicitFields"),
        ["ImplicitShifted"] = ("MUX0020", "ProtoContract.ImplicitFields"),
        ["PartialMessage"] = ("MUX0020", "ProtoPartialMember"),
        ["OffsetMessage"] = ("MUX0020", "ProtoContract.DataMemberOffset"),
    };
}
